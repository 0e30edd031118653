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

    /** Runs a case with each of these seeds; a failure names the option that repeats its case. */
    public static void each(String name, int plays, Case randomCase) {
        of(name, plays).forEach(seed -> {
            try {
                randomCase.run(seed);
            } catch (Exception | AssertionError failure) {
                throw new AssertionError("failed with -D" + name + ".seed=" + seed + ": " + failure.getMessage(),
                        failure);
            }
        });
    }

    /** One case of a random test. */
    @FunctionalInterface
    public interface Case {
        /** Runs the case of this seed. */
        void run(long seed) throws Exception;
    }
}
