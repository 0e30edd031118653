package io.queenmq.engine.simulation.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.schema.Shards;
import io.queenmq.testkit.Seeds;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Checks that the store returns the same results as the real routines for random sequences of calls. A failing sequence
 * is repeated with {@code -Dstore.seed=…} and {@code -Dstore.shards=…}; {@code -Dstore.plays=…} runs more of them.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class StoreAgainstRoutinesTest {
    private static final int STEPS = 150;
    private static final int PLAYS = 25;
    private static final Set<String> EVENTS = new TreeSet<>();

    private static final Map<Integer, RealRoutines> REAL = new HashMap<>();

    @BeforeAll
    static void open() {
        for (int shards : shards()) {
            REAL.put(shards, new RealRoutines(new Shards(shards)));
        }
    }

    @AfterAll
    static void close() {
        REAL.values().forEach(RealRoutines::close);
    }

    private static int[] shards() {
        Integer only = Integer.getInteger("store.shards");
        return only != null ? new int[]{only} : new int[]{1, 3};
    }

    static Stream<Arguments> plays() {
        return IntStream.of(shards()).boxed()
                .flatMap(shards -> Seeds.of("store", PLAYS).mapToObj(seed -> Arguments.of(shards, seed)));
    }

    @Order(1)
    @ParameterizedTest(name = "{0} shards, seed {1}")
    @MethodSource("plays")
    void theStoreAnswersAsTheRoutinesDo(int shards, long seed) {
        RealRoutines real = REAL.get(shards);
        real.empty();
        Stage stage = new Stage(real, EVENTS);
        try {
            new Play(stage, seed).run(STEPS);
        } catch (AssertionError | RuntimeException failure) {
            throw new AssertionError("-Dstore.shards=" + shards + " -Dstore.seed=" + seed + ", after these steps:\n"
                    + String.join("\n", stage.steps()), failure);
        }
    }

    /** Checks that the random sequences reach all important events. */
    @Order(2)
    @Test
    void theCasesCoverTheListedEvents() {
        if (Long.getLong("store.seed") == null) {
            assertThat(EVENTS).contains("push something", "push nothing", "push QN003", "push_bounded something",
                    "push_bounded no place", "catch_up is_new", "lease leased", "lease busy", "lease empty",
                    "lease waiting", "lease spared", "lease expired", "lease is_alone", "expire is_dead",
                    "release something", "ack is_live", "ack is_released", "ack is_busy", "nack is_dead",
                    "nack is_busy", "renew something", "transact something", "transact QN001", "transact QN002",
                    "transact QN003", "transact QN004", "transact QN006", "fetch something", "resolve is_pending",
                    "has_pending something", "expired", "removed", "partition deleted", "commit", "roll back",
                    "push_within queued", "push_within duplicate", "seek none", "clear none", "delete_queue something",
                    "revised something");
        }
    }
}
