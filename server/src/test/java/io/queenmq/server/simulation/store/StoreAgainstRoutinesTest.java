package io.queenmq.server.simulation.store;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The store answers as the real routines do, whatever is asked of them in whatever order. A failing play is repeated with
 * {@code -Dstore.seed=…}; {@code -Dstore.plays=…} makes more of them.
 */
class StoreAgainstRoutinesTest {
    private static final int STEPS = 150;
    private static final int PLAYS = 25;

    private static final Set<String> EVENTS = new TreeSet<>();
    private static RealRoutines real;

    @BeforeAll
    static void open() {
        real = new RealRoutines();
    }

    @AfterAll
    static void close() {
        real.close();
    }

    static LongStream seeds() {
        Long seed = Long.getLong("store.seed");
        return seed != null ? LongStream.of(seed) : LongStream.rangeClosed(1, Integer.getInteger("store.plays", PLAYS));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void theStoreAnswersAsTheRoutinesDo(long seed) {
        real.empty();
        Play play = new Play(real, seed, EVENTS);
        try {
            play.run(STEPS);
        } catch (Throwable failure) {
            List<String> steps = play.steps();
            throw new AssertionError("-Dstore.seed=" + seed + ", step " + steps.size() + " of\n"
                    + String.join("\n", steps), failure);
        }
    }
}
