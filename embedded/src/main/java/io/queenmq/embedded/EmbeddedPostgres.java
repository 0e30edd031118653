package io.queenmq.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * A PostgreSQL of our own: durable like any other, listening on 127.0.0.1 only, and gone when this process is gone.
 *
 * <p>Everything lives in one home directory, which one process at a time may use. The port is a new one at each start
 * unless the caller sets it; the data and the password stay.
 */
public final class EmbeddedPostgres implements AutoCloseable {
    static final String DATABASE = "postgres";

    private final HomeLock lock;
    private final Postmaster postmaster;
    private final String password;
    private volatile boolean isClosing;

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
        return DATABASE;
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

    /** Runs the task, on a thread of its own, if PostgreSQL ends although nobody closed it; it does not come back then. */
    public void onLoss(Runnable task) {
        postmaster.process().onExit().thenRun(() -> {
            if (!isClosing) {
                Thread.ofPlatform().name("queen-postgres-lost").start(task);
            }
        });
    }

    /** Disconnects everyone, writes a checkpoint and ends. Calling it again does nothing. */
    @Override
    public void close() {
        isClosing = true;
        try (lock) {
            postmaster.stop();
        }
    }
}
