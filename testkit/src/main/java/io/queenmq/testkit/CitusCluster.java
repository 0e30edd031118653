package io.queenmq.testkit;

import java.net.URI;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A running Citus cluster. {@code CITUS_URL} is the address of a database of its coordinator, e.g. {@code
 * postgresql://postgres@127.0.0.1:7000/queen}, which lists the workers. Tests create their own databases.
 */
public final class CitusCluster {
    private static final String VARIABLE = "CITUS_URL";
    private static final int DEFAULT_PORT = 5432;
    private static final String RUN = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt());
    private static final AtomicInteger DATABASES = new AtomicInteger();

    private final TestDatabase coordinator;
    private final List<TestDatabase> workers;

    private CitusCluster(TestDatabase coordinator, List<TestDatabase> workers) {
        this.coordinator = coordinator;
        this.workers = workers;
    }

    public static boolean isThere() {
        return System.getenv(VARIABLE) != null;
    }

    /** Returns the cluster of {@code CITUS_URL}. */
    public static CitusCluster fromEnvironment() {
        var url = System.getenv(VARIABLE);
        if (url == null) {
            throw new IllegalStateException(VARIABLE + " is not set");
        }
        var uri = URI.create(url);
        var login = uri.getUserInfo() == null ? new String[]{"postgres"} : uri.getUserInfo().split(":", 2);
        var coordinator = new TestDatabase(uri.getHost(), uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort(),
                uri.getPath().substring(1), login[0], login.length == 2 ? login[1] : "");
        var workers = new ArrayList<TestDatabase>();
        for (var place : Sql.strings(coordinator, """
                select nodename || ' ' || nodeport from pg_dist_node
                where groupid > 0 and noderole = 'primary' order by groupid""")) {
            var node = place.split(" ");
            workers.add(new TestDatabase(node[0], Integer.parseInt(node[1]), coordinator.name(), coordinator.user(),
                    coordinator.password()));
        }
        return new CitusCluster(coordinator, List.copyOf(workers));
    }

    /** Creates a database with the extension and all workers. */
    public CitusDatabase createDatabase() {
        var database = createPlainDatabase();
        database.extend();
        return database;
    }

    /** Creates a database on all nodes without the extension; {@link CitusDatabase#extend} adds it. */
    public CitusDatabase createPlainDatabase() {
        var name = "queen_citus_" + RUN + "_" + DATABASES.incrementAndGet();
        var database = new CitusDatabase(at(coordinator, name),
                workers.stream().map(worker -> at(worker, name)).toList());
        for (var node : database.nodes()) {
            Sql.executeAll(at(node, coordinator.name()), "set citus.enable_create_database_propagation = off",
                    "create database " + name + " encoding 'UTF8' template template0");
        }
        return database;
    }

    static TestDatabase at(TestDatabase node, String name) {
        return new TestDatabase(node.host(), node.port(), name, node.user(), node.password());
    }
}
