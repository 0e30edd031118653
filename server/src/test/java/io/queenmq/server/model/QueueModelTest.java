package io.queenmq.server.model;

import io.queenmq.server.harness.Cluster;
import io.queenmq.testkit.Seeds;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares two servers on one database with a model of a queue for random steps. A failing case is repeated with
 * {@code -Dmodel.seed=…}; {@code -Dmodel.plays=…} runs more cases.
 */
class QueueModelTest {
    private static final int PLAYS = 100;
    private static final int RETRY_LIMIT_MAX = 2;
    private static Cluster cluster;

    @BeforeAll
    static void open() {
        cluster = Cluster.of(2);
    }

    @AfterAll
    static void close() {
        cluster.close();
    }

    static LongStream seeds() {
        return Seeds.of("model", PLAYS);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void serversMatchTheModel(long seed) {
        RandomSteps random = new RandomSteps(seed);
        int retryLimit = random.upTo(RETRY_LIMIT_MAX);
        List<Step> steps = random.steps();
        ModelComparison play = new ModelComparison(cluster, "model-" + seed, retryLimit);
        int performed = 0;
        try {
            for (Step step : steps) {
                performed++;
                play.perform(step);
            }
            play.settle();
        } catch (AssertionError | RuntimeException failure) {
            throw new AssertionError("failed with -Dmodel.seed=" + seed + ", retryLimit " + retryLimit
                    + ", after these steps:\n" + list(steps.subList(0, performed)), failure);
        }
    }

    private static String list(List<Step> steps) {
        return IntStream.range(0, steps.size()).mapToObj(i -> i + 1 + " " + steps.get(i))
                .collect(Collectors.joining("\n"));
    }
}
