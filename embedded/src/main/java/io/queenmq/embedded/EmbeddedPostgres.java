package io.queenmq.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * A PostgreSQL server that this process starts. It is durable, listens on 127.0.0.1 only, and ends with this process.
 *
 * <p>All files are in one home directory, which at most one process may use. The port changes with each start, unless the
 * caller sets it. The data and the password are kept.
 */
public final class EmbeddedPostgres implements AutoCloseable {
    static final String DATABASE = "postgres";

    /** Processes without a postmaster end by themselves, with a delay. */
    private static final Duration RESTARTED_WITHIN = Duration.ofSeconds(60);
    private static final Duration PAUSE = Duration.ofMillis(500);

    private final HomeLock lock;
    private final DataDirectory data;
    private final Function<Map<String, String>, Postmaster> launch;
    private final Map<String, String> settings;
    private final String password;
    private final int port;
    private volatile Postmaster postmaster;
    private volatile Runnable onLoss = () -> {};
    private volatile boolean isClosing;

    private EmbeddedPostgres(HomeLock lock, DataDirectory data, Function<Map<String, String>, Postmaster> launch,
            Map<String, String> settings, String password) {
        this.lock = lock;
        this.data = data;
        this.launch = launch;
        this.settings = settings;
        this.password = password;
        this.postmaster = launch.apply(settings);
        this.port = postmaster.port();
    }

    /** Starts PostgreSQL in {@code home}, which is created if missing, and returns when it accepts connections. */
    public static EmbeddedPostgres start(Path home) {
        return start(home, Map.of());
    }

    /** Starts PostgreSQL with settings that override the defaults, such as {@code max_connections}. */
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
            return new EmbeddedPostgres(lock, data,
                    all -> Postmaster.start(binaries, data, runAs, all, root.resolve("postgresql.log")), settings,
                    password);
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
        return port;
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

    /** Returns the process id of the postmaster. */
    public long pid() {
        return postmaster.pid();
    }

    /**
     * Runs the task on a thread of its own whenever PostgreSQL ends without {@link #close}. PostgreSQL is not restarted
     * automatically; the task may {@link #restart} it.
     */
    public void onLoss(Runnable task) {
        onLoss = task;
        watch();
    }

    private void watch() {
        postmaster.process().onExit().thenRun(() -> {
            if (!isClosing) {
                Thread.ofPlatform().name("queen-postgres-lost").start(onLoss);
            }
        });
    }

    /**
     * Restarts PostgreSQL on the same port and returns when it accepts connections. Committed data is kept.
     *
     * @throws EmbeddedPostgresException if it cannot be started
     */
    public synchronized void restart() {
        long deadlineNs = System.nanoTime() + RESTARTED_WITHIN.toNanos();
        while (!isClosing) {
            try {
                Orphan.stop(data);
                var all = new HashMap<>(settings);
                all.put("port", Integer.toString(port));
                postmaster = launch.apply(all);
                watch();
                return;
            } catch (EmbeddedPostgresException e) {
                if (System.nanoTime() - deadlineNs > 0) {
                    throw e;
                }
                pause();
            }
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EmbeddedPostgresException("interrupted while PostgreSQL was starting", e);
        }
    }

    /** Closes all connections, writes a checkpoint and ends PostgreSQL. Idempotent. */
    @Override
    public void close() {
        isClosing = true;
        stop();
    }

    private synchronized void stop() {
        try (lock) {
            postmaster.stop();
        }
    }
}
