package io.queenmq.testkit;

import java.sql.Connection;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * The PostgreSQL server that all tests of one JVM share: an embedded one, started at the first call, or the one that
 * {@code PG_HOST} names, so that the same tests can run on other versions of PostgreSQL.
 */
public final class TestPostgres {
    private static final String PREFIX = "queen_test_";

    private final TestServer server;
    private final String runId = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt());
    private final AtomicInteger databases = new AtomicInteger();
    private final Map<String, TestDatabase> templates = new ConcurrentHashMap<>();

    private TestPostgres(TestServer server) {
        this.server = server;
    }

    /** The server of this JVM. */
    public static TestPostgres shared() {
        return Shared.INSTANCE;
    }

    /** A new database with nothing in it. */
    public TestDatabase createDatabase() {
        return createFrom("template0");
    }

    /**
     * A new database as {@code prepare} leaves one. It runs once for each key; the others are copies, which cost a few
     * hundredths of a second. It must not leave connections open.
     */
    public TestDatabase cloneOf(String key, Consumer<Connection> prepare) {
        var template = templates.computeIfAbsent(key, _ -> {
            var database = createDatabase();
            Sql.run(database, prepare);
            return database;
        });
        return createFrom(template.name());
    }

    public String host() {
        return server.host();
    }

    public int port() {
        return server.port();
    }

    public String user() {
        return server.user();
    }

    public String password() {
        return server.password();
    }

    /** The version of the server, as in 180001. */
    public int versionNumber() {
        return Integer.parseInt(Sql.strings(server.maintenance(), "show server_version_num").getFirst());
    }

    private TestDatabase createFrom(String template) {
        var name = PREFIX + runId + "_" + databases.incrementAndGet();
        Sql.execute(server.maintenance(), "create database " + name + " encoding 'UTF8' template " + template);
        return new TestDatabase(host(), port(), name, user(), password());
    }

    private void dropTemplates() {
        templates.values().forEach(TestDatabase::close);
    }

    private static TestPostgres start() {
        var server = TestServer.start();
        server.dropLeftovers(PREFIX);
        var postgres = new TestPostgres(server);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try (server) {
                postgres.dropTemplates();
            }
        }, "queen-test-postgres-stop"));
        return postgres;
    }

    /** Started by the first test that needs it and no earlier. */
    private static final class Shared {
        static final TestPostgres INSTANCE = start();
    }
}
