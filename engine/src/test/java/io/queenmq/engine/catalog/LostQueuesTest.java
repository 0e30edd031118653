package io.queenmq.engine.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LostQueuesTest {
    /** The column known has the queues as of the history that ended, read those of the new one. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            the history has not changed             |    | a1 | false
            not read yet                            | a1 |    | true
            the new history has the queue           | a1 | a1 | false
            the new history has the queue, paused   | a1 | a1p | false
            another queue has the name              | a1 | a2 | true
            another queue was lost                  | b2 |    | false
            """)
    void aQueueIsLostUntilTheNewHistoryIsKnownToHaveIt(String row, String known, String read, boolean isLost) {
        LostQueues lost = new LostQueues();

        lost.historyChanged(TestQueues.byName(known).values());
        lost.found(TestQueues.byName(read).values());

        assertThat(lost.contains(TestQueues.queue("a1").id())).isEqualTo(isLost);
    }
}
