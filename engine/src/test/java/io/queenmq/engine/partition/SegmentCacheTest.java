package io.queenmq.engine.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class SegmentCacheTest {
    private static final UUID PARTITION = new UUID(1, 1);
    private static final UUID OTHER_PARTITION = new UUID(2, 2);

    @Test
    void exactlyTheOffsetsOfASegmentAreFound() {
        SegmentCache cache = new SegmentCache(1 << 20);
        cache.add(PARTITION, segment(10, 5));

        assertThat(cache.find(PARTITION, 9)).isNull();
        assertThat(cache.find(PARTITION, 10).base()).isEqualTo(10);
        assertThat(cache.find(PARTITION, 14).base()).isEqualTo(10);
        assertThat(cache.find(PARTITION, 15)).isNull();
        assertThat(cache.find(OTHER_PARTITION, 10)).isNull();
    }

    @Test
    void segmentsAreFoundInAnyOrderOfAddition() {
        SegmentCache cache = new SegmentCache(1 << 20);
        List<Long> bases = new ArrayList<>();
        for (long i = 0; i < 300; i++) {
            bases.add(i * 3);
        }
        Collections.shuffle(bases, new Random(7));
        bases.forEach(base -> cache.add(PARTITION, segment(base, 2)));

        for (long offset = 0; offset < 900; offset++) {
            Segment found = cache.find(PARTITION, offset);
            if (offset % 3 == 2) {
                assertThat(found).isNull();
            } else {
                assertThat(found.base()).isEqualTo(offset - offset % 3);
            }
        }
    }

    @Test
    void theOldestSegmentsAreEvictedBeyondTheBound() {
        SegmentCache cache = new SegmentCache(10_000);
        for (int i = 0; i < 1_000; i++) {
            cache.add(i % 2 == 0 ? PARTITION : OTHER_PARTITION, segment(i, 1));
            assertThat(cache.bytes()).isLessThanOrEqualTo(10_000);
        }

        assertThat(cache.find(PARTITION, 998)).isNotNull();
        assertThat(cache.find(OTHER_PARTITION, 999)).isNotNull();
        assertThat(cache.find(PARTITION, 0)).isNull();
    }

    @Test
    void aSegmentThatIsAddedTwiceCountsOnce() {
        SegmentCache cache = new SegmentCache(1 << 20);
        cache.add(PARTITION, segment(0, 1));
        long bytes = cache.bytes();

        cache.add(PARTITION, segment(0, 1));

        assertThat(cache.bytes()).isEqualTo(bytes);
    }

    @Test
    void finishedSegmentsAreRemovedInAnyOrderOfAddition() {
        SegmentCache cache = new SegmentCache(1 << 20);
        for (long base = 0; base < 100; base += 10) {
            cache.add(PARTITION, segment(base, 10));
            cache.add(OTHER_PARTITION, segment(base, 10));
        }
        long bytes = cache.bytes();

        cache.removeBefore(PARTITION, 45);

        assertThat(cache.find(PARTITION, 39)).isNull();
        assertThat(cache.find(PARTITION, 40)).as("not entirely finished").isNotNull();
        assertThat(cache.find(OTHER_PARTITION, 0)).isNotNull();
        assertThat(cache.bytes()).isEqualTo(bytes - 4 * bytes / 20);
        cache.removeBefore(PARTITION, 100);
        cache.removeBefore(OTHER_PARTITION, 100);
        cache.removeBefore(OTHER_PARTITION, 100);
        assertThat(cache.bytes()).isZero();
        cache.add(PARTITION, segment(100, 1));
        assertThat(cache.find(PARTITION, 100)).isNotNull();
    }

    private static Segment segment(long base, int count) {
        return new Segment(base, 0, new long[count], new byte[count * 10]);
    }
}
