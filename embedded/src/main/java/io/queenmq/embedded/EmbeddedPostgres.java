package io.queenmq.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * A PostgreSQL of our own: durable like any other, listening on 127.0.0.1 only, and gone when this process is gone.
 *
 * <p>Everything lives in one home directory, which one process at a time may use. The port is a new one at each start;
 * the data and the password stay.
 */
public final class EmbeddedPostgres implements AutoCloseable {
    private final HomeLock lock;
    private final Postmaster postmaster;
    private final String password;

    private EmbeddedPostgres(HomeLock lock, Postmaster postmaster, String password) {
        this.lock = lock;
        this.postmaster = postmaster;
        this.password = password;
    }

    /** Starts it in {@code home}, which is created when missing, and returns when it accepts connections. */
    public static EmbeddedPostgres start(Path home) {
        return start(home, Map.of());
    }

    /** The same with settings that go before ours, such as {@code max_connections}. */
    public static EmbeddedPostgres start(Path home, Map<String, String> settings) {
        var root = home.toAbsolutePath().normalize();
        createHome(root);
        var lock = HomeLock.acquire(root);
        try {
            var binaries = Binaries.unpackInto(root);
            var data = new DataDirectory(root.resolve("pgdata"));
            var password = Password.of(root, data);
            Orphan.stop(data);
            var runAs = RunAsChoice.choose(binaries, data);
            data.createIfMissing(binaries, runAs, password);
            var postmaster = Postmaster.start(binaries, data, runAs, settings, root.resolve("postgresql.log"));
            return new EmbeddedPostgres(lock, postmaster, password);
        } catch (Throwable failure) {
            lock.close();
            throw failure;
        }
    }

    private static void createHome(Path home) {
        try {
            Files.createDirectories(home);
        } catch (IOException e) {
            throw new EmbeddedPostgresException("cannot create the directory " + home, e);
        }
    }

    public String host() {
        return Postmaster.HOST;
    }

    public int port() {
        return postmaster.port();
    }

    public String database() {
        return "postgres";
    }

    public String user() {
        return DataDirectory.SUPERUSER;
    }

    public String password() {
        return password;
    }

    /** The process id of the postmaster, the parent of all PostgreSQL processes here. */
    public long pid() {
        return postmaster.pid();
    }

    /** Disconnects everyone, writes a checkpoint and ends. Calling it again does nothing. */
    @Override
    public void close() {
        try (lock) {
            postmaster.stop();
        }
    }
}
