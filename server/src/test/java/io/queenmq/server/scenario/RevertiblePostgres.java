package io.queenmq.server.scenario;

import io.queenmq.embedded.EmbeddedPostgres;
import io.queenmq.testkit.Await;
import io.queenmq.testkit.FreePort;
import io.queenmq.testkit.PostgresPrograms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;

/** A PostgreSQL that can return to an earlier state: to a copy of its files, or by a failover to a standby that lags. */
final class RevertiblePostgres implements AutoCloseable {
    private final Path home;
    private final int port;
    private EmbeddedPostgres postgres;

    private RevertiblePostgres(Path home, int port) {
        this.home = home;
        this.port = port;
        start();
    }

    /** Creates an empty one. */
    static RevertiblePostgres create(String name) {
        Path home = Path.of("target", name);
        run("rm", "-rf", home.toString(), backupFolder(home).toString(), standbyFolder(home).toString());
        return new RevertiblePostgres(PostgresPrograms.linkInto(home), FreePort.choose());
    }

    private void start() {
        postgres = EmbeddedPostgres.start(home, Map.of("port", Integer.toString(port), "fsync", "off", "wal_level",
                "replica", "max_wal_senders", "5", "shared_buffers", "32MB"));
    }

    /** Copies the files. Closes all connections. */
    void save() {
        postgres.close();
        run("cp", "-a", home.toString(), backupFolder(home).toString());
        start();
    }

    /** Replaces the files by the copy. */
    void restore() {
        postgres.close();
        run("rm", "-rf", home.toString());
        run("cp", "-a", backupFolder(home).toString(), home.toString());
        start();
    }

    /** Starts a standby that replicates from this one through a proxy that can be cut. */
    RevertiblePostgres startStandby(CuttableProxy network) throws IOException {
        postgres.close();
        Path standby = standbyFolder(home);
        run("cp", "-a", home.toString(), standby.toString());
        start();
        Path data = standby.resolve("pgdata");
        Path owned = data.resolve("postgresql.auto.conf");
        Files.writeString(owned, "primary_conninfo = 'host=127.0.0.1 port=" + network.port() + " user="
                + postgres.user() + " password=" + postgres.password() + "'\n", StandardOpenOption.APPEND);
        Path signal = Files.createFile(data.resolve("standby.signal"));
        Files.setOwner(signal, Files.getOwner(data));
        return new RevertiblePostgres(standby, FreePort.choose());
    }

    /** Waits until the standby has replayed all changes of the primary. */
    void awaitEverythingOf(RevertiblePostgres primary) {
        String end = primary.query("select pg_current_wal_lsn()::text");
        Await.until("the standby has replayed " + end,
                () -> "t".equals(query("select (pg_last_wal_replay_lsn() >= '" + end + "'::pg_lsn)::boolean")));
    }

    void promote() {
        query("select pg_promote(true, 60)");
    }

    String query(String sql) {
        try (Connection connection = DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + port + "/postgres",
                postgres.user(), postgres.password()); var rows = connection.createStatement().executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    int port() {
        return port;
    }

    String password() {
        return postgres.password();
    }

    @Override
    public void close() {
        postgres.close();
    }

    private static Path backupFolder(Path home) {
        return home.resolveSibling(home.getFileName() + "-copy");
    }

    private static Path standbyFolder(Path home) {
        return home.resolveSibling(home.getFileName() + "-standby");
    }

    private static void run(String... command) {
        try {
            int exit = new ProcessBuilder(command).inheritIO().start().waitFor();
            if (exit != 0) {
                throw new IllegalStateException(String.join(" ", command) + " ended with " + exit);
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
