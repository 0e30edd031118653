package io.queenmq.engine.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeylessQueuesTest {
    private final KeylessQueues.Names names = new KeylessQueues.Names();

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(delimiter = '|', textBlock = """
                                    |
            a1 b2                   |
            b1e a2                  | b
            c1e a2e b3e             | a, b, c
            a1e b2e c3e d4e e5e     | a, b, c, d, e
            a1e b2e c3e d4e e5e f6e | a, b, c, d, e and 1 more
            """)
    void theFirstReadingIsReportedInOneWarning(String queues, String warning) {
        TestQueues.byName(queues).forEach((name, queue) -> assertThat(names.changed(name, queue)).isNull());

        assertThat(names.open()).isEqualTo(warning);
    }

    /** The changes of the queue a after the first reading, in order; {@code -} is its deletion. */
    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(delimiter = '|', textBlock = """
            a1                |
            a1e               | a
            a1e a1e           | a null
            a1e a1ep          | a null
            a1 a1e            | null a
            a1e a1 a1e        | a null a
            a1e - a2e         | a null a
            """)
    void aQueueIsReportedOnceWhileItIsEncrypted(String changes, String warnings) {
        names.open();

        String[] given = Arrays.stream(changes.split(" "))
                .map(change -> names.changed("a", change.equals("-") ? null : TestQueues.queue(change)))
                .map(String::valueOf).toArray(String[]::new);

        assertThat(String.join(" ", given)).isEqualTo(warnings == null ? "null" : warnings);
    }
}
