package io.queenmq.engine.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.testkit.Seeds;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class OffsetSetTest {
    private static final int OFFSETS_MAX = 40;
    private static final long OFFSET_MAX = 60;

    @Test
    void containsExactlyTheGivenOffsetsEvenAfterConversionToText() {
        Seeds.each("offsets", 1000, seed -> {
            var random = new SplittableRandom(seed);
            long[] offsets = random.longs(random.nextInt(OFFSETS_MAX + 1), 0, OFFSET_MAX + 1).toArray();

            OffsetSet set = OffsetSet.parse(OffsetSet.of(offsets).toString());

            for (long offset = 0; offset <= OFFSET_MAX + 1; offset++) {
                long wanted = offset;
                assertThat(set.contains(offset)).as("%s contains %s", set, offset)
                        .isEqualTo(Arrays.stream(offsets).anyMatch(each -> each == wanted));
            }
        });
    }

    @Test
    void adjacentOffsetsBecomeOneRangeInTheFormatOfPostgres() {
        assertThat(OffsetSet.of(new long[]{5, 3, 4, 9, 9})).hasToString("{[3,6),[9,10)}");
        assertThat(OffsetSet.parse(null)).isEqualTo(OffsetSet.NONE);
        assertThat(OffsetSet.parse("{}").isEmpty()).isTrue();
    }
}
