package io.queenmq.testkit;

import java.util.stream.LongStream;

/** The seeds of a random test: by default 1 to a fixed number, so that every build runs the same cases. */
public final class Seeds {
    private Seeds() {}

    /**
     * Returns the seeds for the test with this name: {@code -D<name>.seed=7} selects only that one,
     * {@code -D<name>.plays=500} replaces the number of seeds.
     */
    public static LongStream of(String name, int plays) {
        Long seed = Long.getLong(name + ".seed");
        return seed != null
                ? LongStream.of(seed)
                : LongStream.rangeClosed(1, Integer.getInteger(name + ".plays", plays));
    }

    /** Runs one case; a failure of it names the option that repeats the case. */
    public static void run(String name, long seed, Case randomCase) {
        try {
            randomCase.run();
        } catch (Exception | AssertionError failure) {
            throw new AssertionError("failed with -D" + name + ".seed=" + seed + ": " + failure.getMessage(), failure);
        }
    }

    /** One case of a random test. */
    @FunctionalInterface
    public interface Case {
        /** Runs the case. */
        void run() throws Exception;
    }
}
