package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** After any history, every number for operators equals a count of the messages. */
class NumbersTruthTest {
    private static final int STEPS = 300;
    private static final int STEPS_BETWEEN_LOOKS = 25;

    /** Few, so that a missing record of one step is not covered by another one before the next count. */
    private static final int STEPS_BETWEEN_COUNTS = 4;

    @RegisterExtension
    static final SchemaDatabase one = SchemaDatabase.ofOneShard();

    @RegisterExtension
    static final SchemaDatabase three = SchemaDatabase.of(3);

    private Api api;
    private NumbersTruth truth;

    /** Every other one with several shards. {@code -Dnumbers.plays=100} makes more plays. */
    static LongStream seeds() {
        return LongStream.rangeClosed(1, Long.getLong("numbers.plays", 2));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everyNumberEqualsACountOfTheMessages(long seed) {
        var database = seed % 2 == 0 ? three : one;
        api = database.api();
        truth = new NumbersTruth(database.newSession());
        var play = new NumbersPlay(database, seed, this::count);
        for (int step = 1; step <= STEPS; step++) {
            play.step();
            if (step % STEPS_BETWEEN_COUNTS == 0) {
                count();
            }
            if (step % STEPS_BETWEEN_LOOKS == 0) {
                count();
                look(play);
            }
        }
    }

    /** Only recorded changes are counted: no search. */
    private void count() {
        new Counting(api).count();
    }

    private void look(NumbersPlay play) {
        truth.look();
        assertThat(truth.countedQueues()).as("queues after %s", play.log()).isEqualTo(truth.queues());
        assertThat(truth.countedGroups()).as("groups after %s", play.log()).isEqualTo(truth.groups());
        assertThat(truth.listedQueues()).as("list of queues").isEqualTo(truth.queues());
        assertThat(truth.statusQueues()).as("status of queues").isEqualTo(truth.queues());
        assertThat(truth.listedLags()).as("list of groups").isEqualTo(truth.lags());
        assertThat(truth.listedLagging()).as("lagging").isEqualTo(truth.lagging());
        assertThat(truth.exported()).as("Prometheus").isEqualTo(truth.trueExported());
        assertThat(truth.pages()).as("pages").isEqualTo(truth.truePages());
    }
}
