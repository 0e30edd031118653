package io.queenmq.testkit;

import io.queenmq.embedded.EmbeddedPostgres;
import java.util.Map;

/** Where the databases of the tests live. */
sealed interface TestServer extends AutoCloseable {
    /** An existing database from which others are created and dropped. */
    TestDatabase maintenance();

    /** Removes databases of earlier test runs, where no other run can be using them. */
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

    /** A server that someone else runs. */
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

    /** A server of our own, kept for the other modules and for the next run because making one takes seconds. */
    record Embedded(EmbeddedPostgres postgres, TestDatabase maintenance, HomeSlot slot) implements TestServer {
        /** The operating system does not crash in the tests that share this server, and flushing is slow. */
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
