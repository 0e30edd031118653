package io.queenmq.verify.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Changes the time of day of a process that was started with {@link #environment}, with libfaketime. */
public final class FakeClock {
    private static final String LIBRARY = "faketime/libfaketime.so.1";

    private FakeClock() {}

    /** Returns the reason why clocks cannot be changed here; empty if they can. */
    public static Optional<String> unavailable() {
        return library().isPresent()
                ? Optional.empty()
                : Optional.of("the library libfaketime is missing (apt-get install libfaketime)");
    }

    private static Optional<Path> library() {
        return Programs.findFile(Path.of("/usr/lib"), 3, LIBRARY);
    }

    /** Returns the environment of a process whose clock is changed with {@link #set}. The clock of durations is not changed. */
    public static Map<String, String> environment(Path file) {
        set(file, 0);
        return Map.of("LD_PRELOAD", library().orElseThrow().toString(), "FAKETIME_TIMESTAMP_FILE", file.toString(),
                "FAKETIME_CACHE_DURATION", "1", "DONT_FAKE_MONOTONIC", "1", "FAKETIME_DONT_FAKE_MONOTONIC", "1",
                "FAKETIME_DONT_RESET", "1");
    }

    /** Sets the difference to the true time; it is effective within a second. */
    public static void set(Path file, long seconds) {
        try {
            Files.writeString(file, (seconds < 0 ? "" : "+") + seconds + "s\n");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file, e);
        }
    }
}
