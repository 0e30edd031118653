package io.queenmq.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A postmaster that outlived the process that started it. It is never reused, because its settings may be old. */
final class Orphan {
    private static final Logger log = LoggerFactory.getLogger(Orphan.class);

    private Orphan() {}

    /** Must be called with the home locked, so that a running postmaster has no owner. */
    static void stop(DataDirectory data) {
        var process = PostmasterFile.find(data.postmasterFile()).flatMap(file -> ProcessHandle.of(file.pid()));
        if (process.isEmpty()) {
            return; // shut down or crashed: PostgreSQL recovers
        }
        if (isPostgresOf(data, process.get())) {
            log.warn("a PostgreSQL without owner (pid {}) still uses {}; stopping it", process.get().pid(),
                    data.path());
            Signals.stop(process.get());
        } else {
            removeStale(data.postmasterFile());
        }
    }

    private static boolean isPostgresOf(DataDirectory data, ProcessHandle process) {
        var command = process.info().command().orElse("");
        if (!command.endsWith("/postgres")) {
            return false;
        }
        try {
            return Path.of("/proc/" + process.pid() + "/cwd").toRealPath().equals(data.path().toRealPath());
        } catch (IOException _) {
            return process.info().commandLine().orElse("").contains(data.path().toString()); // no /proc: macOS
        }
    }

    /** Another program has the process id now. PostgreSQL would regard it as a postmaster and fail. */
    private static void removeStale(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new EmbeddedPostgresException("cannot remove the stale " + file, e);
        }
    }
}
