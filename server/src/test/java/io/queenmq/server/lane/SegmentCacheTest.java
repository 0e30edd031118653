package io.queenmq.server.lane;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class SegmentCacheTest {
    private static final UUID LANE = new UUID(1, 1);
    private static final UUID OTHER_LANE = new UUID(2, 2);

    @Test
    void everyOffsetOfASegmentIsFoundAndNoOther() {
        SegmentCache cache = new SegmentCache(1 << 20);
        cache.add(LANE, segment(10, 5));

        assertThat(cache.find(LANE, 9)).isNull();
        assertThat(cache.find(LANE, 10).base()).isEqualTo(10);
        assertThat(cache.find(LANE, 14).base()).isEqualTo(10);
        assertThat(cache.find(LANE, 15)).isNull();
        assertThat(cache.find(OTHER_LANE, 10)).isNull();
    }

    @Test
    void segmentsAreFoundInWhateverOrderTheyWereAdded() {
        SegmentCache cache = new SegmentCache(1 << 20);
        List<Long> bases = new ArrayList<>();
        for (long i = 0; i < 300; i++) {
            bases.add(i * 3);
        }
        Collections.shuffle(bases, new Random(7));
        bases.forEach(base -> cache.add(LANE, segment(base, 2)));

        for (long offset = 0; offset < 900; offset++) {
            Segment found = cache.find(LANE, offset);
            if (offset % 3 == 2) {
                assertThat(found).isNull();
            } else {
                assertThat(found.base()).isEqualTo(offset - offset % 3);
            }
        }
    }

    @Test
    void whatIsOldestGoesFirstAndTheBoundHolds() {
        SegmentCache cache = new SegmentCache(10_000);
        for (int i = 0; i < 1_000; i++) {
            cache.add(i % 2 == 0 ? LANE : OTHER_LANE, segment(i, 1));
            assertThat(cache.bytes()).isLessThanOrEqualTo(10_000);
        }

        assertThat(cache.find(LANE, 998)).isNotNull();
        assertThat(cache.find(OTHER_LANE, 999)).isNotNull();
        assertThat(cache.find(LANE, 0)).isNull();
    }

    @Test
    void aSegmentThatIsThereAlreadyCountsOnce() {
        SegmentCache cache = new SegmentCache(1 << 20);
        cache.add(LANE, segment(0, 1));
        long bytes = cache.bytes();

        cache.add(LANE, segment(0, 1));

        assertThat(cache.bytes()).isEqualTo(bytes);
    }

    @Test
    void finishedSegmentsAreRemovedWhicheverWereAddedLater() {
        SegmentCache cache = new SegmentCache(1 << 20);
        for (long base = 0; base < 100; base += 10) {
            cache.add(LANE, segment(base, 10));
            cache.add(OTHER_LANE, segment(base, 10));
        }
        long bytes = cache.bytes();

        cache.removeBefore(LANE, 45);

        assertThat(cache.find(LANE, 39)).isNull();
        assertThat(cache.find(LANE, 40)).as("not finished as a whole").isNotNull();
        assertThat(cache.find(OTHER_LANE, 0)).isNotNull();
        assertThat(cache.bytes()).isEqualTo(bytes - 4 * bytes / 20);
        cache.removeBefore(LANE, 100);
        cache.removeBefore(OTHER_LANE, 100);
        cache.removeBefore(OTHER_LANE, 100);
        assertThat(cache.bytes()).isZero();
        cache.add(LANE, segment(100, 1));
        assertThat(cache.find(LANE, 100)).isNotNull();
    }

    private static Segment segment(long base, int count) {
        return new Segment(base, 0, new long[count], new byte[count * 10]);
    }
}
