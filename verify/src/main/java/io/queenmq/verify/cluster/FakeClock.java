package io.queenmq.verify.cluster;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Starts processes with a wrong time of day, with libfaketime. */
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

    /**
     * Returns the environment of a process with a wrong time of day. The clock of durations is right.
     *
     * @param seconds the difference to the true time
     */
    public static Map<String, String> environment(long seconds) {
        return Map.of("LD_PRELOAD", library().orElseThrow().toString(), "FAKETIME",
                (seconds < 0 ? "" : "+") + seconds + "s", "DONT_FAKE_MONOTONIC", "1", "FAKETIME_DONT_FAKE_MONOTONIC",
                "1");
    }
}
