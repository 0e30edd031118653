package io.queenmq.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running PostgreSQL server. */
record Postmaster(Process process, int port) {
    static final String HOST = "127.0.0.1";

    private static final Logger log = LoggerFactory.getLogger(Postmaster.class);
    private static final int PORT_ATTEMPTS_MAX = 5;
    private static final long POLL_MS = 20;

    /** Long, because a server that crashed under load replays up to max_wal_size before it is ready. */
    private static final Duration READY_MAX = Duration.ofMinutes(10);

    static Postmaster start(Binaries binaries, DataDirectory data, RunAs runAs, Map<String, String> settings,
            Path logPath) {
        var logFile = LogFile.open(logPath);
        for (int attempt = 1;; attempt++) {
            int port = settings.containsKey("port") ? Integer.parseInt(settings.get("port")) : freePort();
            var command = command(binaries, data,
                    Settings.options(settings, Map.of("listen_addresses", HOST, "port", "" + port)));
            var postmaster = new Postmaster(Launcher.launch(command, runAs, logPath), port);
            if (postmaster.becomesReady(data)) {
                log.info("PostgreSQL listens on {}:{} (pid {}, data in {})", HOST, port, postmaster.pid(), data.path());
                return postmaster;
            }
            // Another program may have bound the port after it was chosen.
            if (!logFile.mentions("could not bind") || attempt == PORT_ATTEMPTS_MAX) {
                throw new EmbeddedPostgresException("PostgreSQL did not start, running as " + runAs + ". The end of "
                        + logPath + ":\n" + logFile.tail());
            }
            logFile = LogFile.open(logPath);
        }
    }

    long pid() {
        return process.pid();
    }

    void stop() {
        if (process.isAlive()) {
            Signals.stop(process.toHandle());
            log.info("PostgreSQL on port {} has stopped", port);
        }
    }

    private static List<String> command(Binaries binaries, DataDirectory data, List<String> options) {
        var command = new ArrayList<>(List.of(binaries.executable("postgres"), "-D", data.path().toString()));
        command.addAll(options);
        return command;
    }

    private static int freePort() {
        try (var socket = new ServerSocket(0, 1, InetAddress.getByName(HOST))) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new EmbeddedPostgresException("no free port on " + HOST, e);
        }
    }

    /** Returns false if the process has ended. */
    private boolean becomesReady(DataDirectory data) {
        long deadlineNs = System.nanoTime() + READY_MAX.toNanos();
        try {
            while (process.isAlive()) {
                if (isReady(data)) {
                    return true;
                }
                if (System.nanoTime() - deadlineNs > 0) {
                    stop();
                    throw new EmbeddedPostgresException(
                            "PostgreSQL was not ready after " + READY_MAX.toMinutes() + " min");
                }
                Thread.sleep(POLL_MS);
            }
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            process.destroy();
            throw new EmbeddedPostgresException("interrupted while PostgreSQL was starting", e);
        }
    }

    private boolean isReady(DataDirectory data) {
        return PostmasterFile.find(data.postmasterFile()).filter(file -> file.pid() == pid() && file.isReady())
                .isPresent();
    }
}
