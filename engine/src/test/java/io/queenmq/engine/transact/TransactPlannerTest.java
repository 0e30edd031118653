package io.queenmq.engine.transact;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TransactPlannerTest {
    @ParameterizedTest(name = "outdated {0}, stored {1}, done {2}, rejected {3}: {4}")
    @CsvSource({"false, false, false, false, CALL", "false, false, false, true, REJECT",
        "false, false, true, false, COMMIT", "false, false, true, true, COMMIT",
        "false, true, true, false, COUNT_AND_COMMIT", "false, true, true, true, COUNT_AND_COMMIT",
        "true, false, false, false, REPEAT", "true, false, false, true, REPEAT", "true, false, true, false, REPEAT",
        "true, true, true, false, COUNT_AND_COMMIT"})
    void aTransactionThatHasItsPartitions(boolean isOutdated, boolean isStored, boolean isDoneAlready,
            boolean isRejected, TransactPlanner.Next expected) {
        assertThat(TransactPlanner.onReady(isOutdated, isStored, isDoneAlready, isRejected)).isEqualTo(expected);
    }
}
