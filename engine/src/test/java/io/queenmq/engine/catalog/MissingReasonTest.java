package io.queenmq.engine.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MissingReasonTest {
    /** The lease is of the partition p of the queue a1. */
    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(delimiter = '|', nullValues = "none", textBlock = """
            none | the queue a was deleted
            a1   | none
            a1p  | none
            a2   | the queue a was deleted, and another one has its name now
            """)
    void aDeletedQueueIsDistinguishedFromItsReplacement(String known, String reason) {
        assertThat(MissingReason.ofQueue(known == null ? null : TestQueues.queue(known), "a", "p",
                TestQueues.queue("a1").partitionId("p"))).isEqualTo(reason);
    }
}
