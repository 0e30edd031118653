package io.queenmq.engine.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LeasedRangeTest {
    private static final int MESSAGES = 300_000;

    /** A search of all messages for each ack would take minutes. */
    @ParameterizedTest
    @ValueSource(ints = {1, 1_000, MESSAGES})
    @Timeout(20)
    void acksInAnyOrderTakeLinearTime(int perSegment) {
        LeasedRange range = new LeasedRange("g", "q", "p", 0, 1);
        long[] hashes = new Random(7).longs(MESSAGES).toArray();
        for (int base = 0; base < MESSAGES; base += perSegment) {
            range.add(hashes, base, base + perSegment, 10 + base);
        }
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < MESSAGES; i++) {
            order.add(i);
        }
        Collections.shuffle(order, new Random(8));

        for (int each : order) {
            assertThat(range.find(hashes[each])).isEqualTo(10 + each);
        }
        for (int i = 0; i < 1_000; i++) {
            assertThat(range.find(i)).isEqualTo(-1);
        }
    }

    /** Each segment of a lease is searched behind the last match before a search begins at its start again. */
    @Test
    void messagesWithTheSameHashInDifferentSegmentsAreFoundInTurn() {
        LeasedRange range = new LeasedRange("g", "q", "p", 0, 1);
        range.add(new long[]{1}, 0, 1, 353);
        range.add(new long[]{1, 2}, 0, 2, 354);
        range.add(new long[]{3, 1}, 0, 2, 356);

        assertThat(List.of(range.find(1), range.find(1), range.find(2), range.find(3), range.find(1)))
                .containsExactly(353L, 354L, 355L, 356L, 357L);
        assertThat(range.find(1)).isEqualTo(353);
    }

    @Test
    void aRangeWithoutMessagesFindsNothing() {
        assertThat(new LeasedRange("g", "q", "p", 0, 1).find(1)).isEqualTo(-1);
    }

    /** The index continues behind the last match of the search without an index. */
    @Test
    void messagesWithTheSameHashAreFoundInTurnWhenAnIndexIsBuilt() {
        LeasedRange range = new LeasedRange("g", "q", "p", 0, 1);
        range.add(new long[]{1, 2, 1, 3}, 0, 4, 100);
        assertThat(range.find(1)).isEqualTo(100);
        for (int i = 0; i < 10; i++) {
            range.find(9);
        }

        assertThat(range.find(1)).isEqualTo(102);
    }

    /** A transactionId may be in a lease twice; acks refer to its messages in turn, even if an index is used. */
    @Test
    void messagesWithTheSameHashAreFoundInTurn() {
        LeasedRange range = new LeasedRange("g", "q", "p", 0, 1);
        range.add(new long[]{1, 2, 1, 3}, 0, 4, 100);

        for (int i = 0; i < 10; i++) {
            assertThat(range.find(1)).isIn(100L, 102L);
            assertThat(range.find(9)).isEqualTo(-1);
        }

        range.find(3);
        assertThat(List.of(range.find(1), range.find(1), range.find(1))).containsExactly(100L, 102L, 100L);
    }
}
