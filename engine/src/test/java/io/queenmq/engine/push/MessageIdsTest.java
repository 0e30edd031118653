package io.queenmq.engine.push;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class MessageIdsTest {
    private final AtomicLong clock = new AtomicLong(1_700_000_000_000L);
    private final MessageIds ids = new MessageIds(clock::get);

    @Test
    void idsAreUuidsOfVersionSevenWithTheTime() {
        UUID id = ids.next();

        assertThat(id.version()).isEqualTo(7);
        assertThat(id.variant()).isEqualTo(2);
        assertThat(id.getMostSignificantBits() >>> 16).isEqualTo(clock.get());
    }

    @Test
    void idsIncreaseEvenIfTheClockJumps() {
        String last = "";
        for (int i = 0; i < 50_000; i++) {
            if (i % 10_000 == 0) {
                clock.addAndGet(i % 20_000 == 0 ? 3 : -500);
            }
            String next = ids.next().toString();
            assertThat(next).isGreaterThan(last);
            last = next;
        }
    }

    @Test
    void idsOfTwoLoopsDiffer() {
        MessageIds others = new MessageIds(clock::get);
        Set<UUID> seen = new HashSet<>();
        for (int i = 0; i < 10_000; i++) {
            assertThat(seen.add(ids.next())).isTrue();
            assertThat(seen.add(others.next())).isTrue();
        }
    }
}
