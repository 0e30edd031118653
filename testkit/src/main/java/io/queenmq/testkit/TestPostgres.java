package io.queenmq.testkit;

import java.sql.Connection;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * The PostgreSQL server that all tests of one JVM share. It is an embedded one that the first call starts, or the one
 * of {@code PG_HOST}, so that the same tests can run on other versions of PostgreSQL.
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

    /** Returns the server of this JVM. */
    public static TestPostgres shared() {
        return Shared.INSTANCE;
    }

    /** Creates an empty database. */
    public TestDatabase createDatabase() {
        return createFrom("template0");
    }

    /**
     * Creates a database from a template. {@code prepare} runs once per key, on the template; other databases are
     * copies, which take a few hundredths of a second. {@code prepare} must close its connections.
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

    /** Returns the version of the server, such as 180001. */
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

    /** Starts the server when the first test needs it. */
    private static final class Shared {
        static final TestPostgres INSTANCE = start();
    }
}
