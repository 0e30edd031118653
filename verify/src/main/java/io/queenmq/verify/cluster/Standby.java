package io.queenmq.verify.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A copy of the primary that follows it by streaming replication and can be promoted. */
public final class Standby implements AutoCloseable {
    private static final Duration READY_WITHIN = Duration.ofSeconds(60);

    private final Database database;
    private final Path home;
    private final Path data;
    private final int port;
    private Process process;

    private final Map<String, String> environment;

    private Standby(Database database, Path home, Path data, Map<String, String> environment) {
        this.database = database;
        this.home = home;
        this.data = data;
        this.environment = environment;
        this.port = freePort();
        this.process = launch();
    }

    /** Copies the primary to a new standby, and returns when the standby receives its changes. */
    static Standby create(Database database, Path home, Path primaryData, Path data)
            throws SQLException, InterruptedException {
        copy(database, primaryData, data);
        try {
            Files.writeString(data.resolve("standby.signal"), "");
            Files.writeString(data.resolve("postgresql.auto.conf"),
                    "primary_conninfo = '" + database.replicationSettings() + "'\n");
            run("chown", "-R", "--reference=" + primaryData, data.toString());
        } catch (IOException e) {
            throw new UncheckedIOException("the standby " + data + " cannot be created", e);
        }
        Standby standby = new Standby(database, home, data, Map.of());
        standby.awaitReady(
                "select pg_is_in_recovery() and exists (select from pg_stat_wal_receiver where status = 'streaming')");
        return standby;
    }

    /** Writes a base backup of the primary to a new directory. */
    static void copy(Database database, Path primaryData, Path data) throws SQLException, InterruptedException {
        try (Connection connection = database.connect(); Statement statement = connection.createStatement()) {
            statement.execute("select pg_backup_start('queen-verify', true)");
            // Files that PostgreSQL removes during the copy are reported, and are not needed.
            run("cp", "-a", primaryData.toString(), data.toString());
            try (ResultSet label = statement.executeQuery("select labelfile from pg_backup_stop(false)")) {
                label.next();
                Files.writeString(data.resolve("backup_label"), label.getString(1));
            }
            // A backup is complete with the WAL until its end.
            run("cp", "-a", primaryData.resolve("pg_wal").toString(), data.toString());
            Files.deleteIfExists(data.resolve("postmaster.pid"));
            Files.deleteIfExists(data.resolve("postmaster.opts"));
            Files.deleteIfExists(data.resolve("postgresql.auto.conf"));
            run("chown", "-R", "--reference=" + primaryData, data.toString());
        } catch (IOException e) {
            throw new UncheckedIOException("the backup " + data + " cannot be written", e);
        }
    }

    /** Starts PostgreSQL in a directory that no other process uses, and returns when it accepts writes. */
    static Standby start(Database database, Path home, Path data, Map<String, String> environment)
            throws InterruptedException {
        Standby started = new Standby(database, home, data, environment);
        started.awaitReady("select not pg_is_in_recovery()");
        return started;
    }

    /** Returns the begin of a command that is executed as the owner of a file; empty if that is this user. */
    static List<String> asOwnerOf(Path file) throws IOException {
        int user = (int) Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS);
        return user == (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid")
                ? List.of()
                : List.of("setpriv", "--reuid=" + user,
                        "--regid=" + Files.getAttribute(file, "unix:gid", LinkOption.NOFOLLOW_LINKS), "--clear-groups");
    }

    private Process launch() {
        try {
            List<String> command = new ArrayList<>(asOwnerOf(data));
            if (!environment.isEmpty()) {
                // The program that changes the user must not have the environment.
                command.add("env");
                environment.forEach((name, value) -> command.add(name + "=" + value));
            }
            command.add(program().toString());
            command.addAll(List.of("-D", data.toString(), "-c", "listen_addresses=127.0.0.1", "-c", "port=" + port,
                    "-c", "unix_socket_directories=", "-c", "max_connections=" + Database.CONNECTIONS_MAX, "-c",
                    "shared_buffers=128MB", "-c", "wal_keep_size=512MB", "-c", "timezone=UTC"));
            ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(home.resolve("standby.log").toFile()));
            return builder.start();
        } catch (IOException e) {
            throw new SetupException("the standby " + data + " cannot be started", e);
        }
    }

    private Path program() throws IOException {
        try (Stream<Path> files = Files.list(home)) {
            return files.map(each -> each.resolve("bin").resolve("postgres")).filter(Files::isExecutable).findFirst()
                    .orElseThrow(() -> new IOException("there is no PostgreSQL in " + home));
        }
    }

    static int freePort() {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void run(String... command) throws IOException, InterruptedException {
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start()
                .waitFor();
    }

    private void awaitReady(String condition) throws InterruptedException {
        long untilNs = System.nanoTime() + READY_WITHIN.toNanos();
        while (System.nanoTime() < untilNs) {
            try (Connection connection = database.connect(port);
                    Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery(condition)) {
                if (rows.next() && rows.getBoolean(1)) {
                    return;
                }
            } catch (SQLException _) {
                // The standby does not accept connections yet.
            }
            Thread.sleep(100);
        }
        throw new SetupException("the standby " + data + " is not ready after " + READY_WITHIN.toSeconds()
                + " s; its output is in " + home.resolve("standby.log"));
    }

    /** Ends the recovery, and returns when the standby accepts writes. */
    public void promote() throws InterruptedException {
        try (Connection connection = database.connect(port); Statement statement = connection.createStatement()) {
            statement.execute("select pg_promote(true, 60)");
        } catch (SQLException e) {
            throw new SetupException("the standby " + data + " cannot be promoted", e);
        }
        awaitReady("select not pg_is_in_recovery()");
    }

    /** Returns the process ids of the processes that receive changes. */
    public List<Long> receivers() throws SQLException {
        try (Connection connection = database.connect(port);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select pid from pg_stat_wal_receiver")) {
            List<Long> pids = new ArrayList<>();
            while (rows.next()) {
                pids.add(rows.getLong(1));
            }
            return pids;
        }
    }

    /** Starts the process again after its end. */
    void restart() {
        try {
            // Its processes end by themselves when their postmaster is killed, but not at once.
            for (int tries = 0; tries < 20; tries++) {
                Files.deleteIfExists(data.resolve("postmaster.pid"));
                process = launch();
                if (!process.waitFor(Duration.ofSeconds(2))) {
                    return;
                }
            }
            throw new SetupException("PostgreSQL in " + data + " cannot be started again");
        } catch (IOException e) {
            throw new SetupException("PostgreSQL in " + data + " cannot be started again", e);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends PostgreSQL as an operator does, so that another process can use its directory. */
    void stop() throws InterruptedException {
        Signals.send(process.pid(), "INT");
        if (!process.waitFor(READY_WITHIN)) {
            process.destroyForcibly().waitFor();
        }
    }

    long pid() {
        return process.pid();
    }

    int port() {
        return port;
    }

    Path data() {
        return data;
    }

    @Override
    public void close() {
        Signals.send(process.pid(), "INT");
        try {
            process.waitFor(Duration.ofSeconds(20));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        process.destroyForcibly();
    }
}
