package io.queenmq.testkit;

import io.queenmq.embedded.EmbeddedPostgres;
import java.util.Map;

/** The PostgreSQL server that contains the databases of the tests. */
sealed interface TestServer extends AutoCloseable {
    /** Returns an existing database, from which others are created and dropped. */
    TestDatabase maintenance();

    /** Drops databases of earlier test runs, unless other test runs may use the server. */
    void dropLeftovers(String prefix);

    @Override
    void close();

    default String host() {
        return maintenance().host();
    }

    default int port() {
        return maintenance().port();
    }

    default String user() {
        return maintenance().user();
    }

    default String password() {
        return maintenance().password();
    }

    static TestServer start() {
        var environment = System.getenv();
        var host = environment.get("PG_HOST");
        return host == null ? Embedded.start() : Existing.at(host, environment);
    }

    /** A server that the tests do not start. */
    record Existing(TestDatabase maintenance) implements TestServer {
        static Existing at(String host, Map<String, String> environment) {
            return new Existing(new TestDatabase(host, Integer.parseInt(environment.getOrDefault("PG_PORT", "5432")),
                    environment.getOrDefault("PG_DB", "postgres"), environment.getOrDefault("PG_USER", "postgres"),
                    environment.getOrDefault("PG_PASSWORD", "postgres")));
        }

        @Override
        public void dropLeftovers(String prefix) {}

        @Override
        public void close() {}
    }

    /**
     * A server that the tests start. Its data is kept for other modules and later runs, because creating it takes
     * seconds.
     */
    record Embedded(EmbeddedPostgres postgres, TestDatabase maintenance, HomeSlot slot) implements TestServer {
        /** The operating system does not crash in these tests, and flushing is slow. */
        private static final Map<String, String> SETTINGS = Map.of("fsync", "off", "max_connections", "200",
                "max_prepared_transactions", "10", "shared_preload_libraries", "pg_stat_statements");

        static Embedded start() {
            var slot = HomeSlot.acquire(BuildFolder.path());
            var postgres = EmbeddedPostgres.start(PostgresPrograms.linkInto(slot.home()), SETTINGS);
            var maintenance = new TestDatabase(postgres.host(), postgres.port(), postgres.database(), postgres.user(),
                    postgres.password());
            return new Embedded(postgres, maintenance, slot);
        }

        @Override
        public void dropLeftovers(String prefix) {
            var names = Sql.strings(maintenance,
                    "select datname from pg_database where starts_with(datname, '" + prefix + "')");
            names.forEach(name -> Sql.execute(maintenance, "drop database " + name + " with (force)"));
        }

        @Override
        public void close() {
            try (slot) {
                postgres.close();
            }
        }
    }
}
