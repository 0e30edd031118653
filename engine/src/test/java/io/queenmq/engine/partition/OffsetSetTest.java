package io.queenmq.engine.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class OffsetSetTest {
    @Property
    void holdsWhatItWasMadeOfAlsoAfterATripThroughText(@ForAll @Size(max = 40) @LongRange(max = 60) long[] offsets) {
        OffsetSet set = OffsetSet.parse(OffsetSet.of(offsets).toString());

        for (long offset = 0; offset <= 61; offset++) {
            long wanted = offset;
            assertThat(set.contains(offset)).isEqualTo(Arrays.stream(offsets).anyMatch(each -> each == wanted));
        }
    }

    @Test
    void adjacentOffsetsBecomeOneRangeAsPostgresWritesIt() {
        assertThat(OffsetSet.of(new long[]{5, 3, 4, 9, 9})).hasToString("{[3,6),[9,10)}");
        assertThat(OffsetSet.parse(null)).isEqualTo(OffsetSet.NONE);
        assertThat(OffsetSet.parse("{}").isEmpty()).isTrue();
    }
}
