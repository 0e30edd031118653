package io.queenmq.engine.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class TimersTest {
    private final ManualClock clock = new ManualClock();

    @Test
    void aPeriodicTaskRunsAgainAfterItThrew() {
        int[] runs = {0};
        new Timers(clock).every(1_000_000, () -> {
            runs[0]++;
            throw new StackOverflowError();
        });

        clock.advance(10_000_000);

        assertThat(runs[0]).isGreaterThanOrEqualTo(3);
    }

    @Test
    void alarmsRunInTheOrderOfTheirDueTimesUnlessCanceled() {
        Timers timers = new Timers(clock);
        SplittableRandom random = new SplittableRandom(1);
        List<Timers.Alarm> alarms = new ArrayList<>();
        List<Long> ran = new ArrayList<>();
        TreeMap<Integer, Long> expected = new TreeMap<>();
        for (int i = 0; i < 5_000; i++) {
            int number = i;
            long dueNs = clock.nowNs + random.nextLong(1_000_000_000);
            alarms.add(timers.after(dueNs - clock.nowNs, () -> {
                ran.add(dueNs);
                expected.remove(number);
            }));
            expected.put(number, dueNs);
            if (random.nextInt(3) > 0) {
                int canceled = random.nextInt(alarms.size());
                alarms.get(canceled).cancel();
                expected.remove(canceled);
            }
            if (random.nextInt(50) == 0) {
                clock.advance(random.nextLong(100_000_000));
            }
            assertThat(timers.pending()).isEqualTo(expected.size());
        }
        ran.clear();
        int left = expected.size();

        clock.advance(2_000_000_000);

        assertThat(ran).hasSize(left).isSorted();
        assertThat(expected).isEmpty();
        assertThat(timers.pending()).isZero();
    }

    @Test
    void aCanceledAlarmIsRemovedAtOnce() {
        Timers timers = new Timers(clock);
        for (int i = 0; i < 100_000; i++) {
            timers.after(86_400_000_000_000L, () -> {}).cancel();
            assertThat(timers.pending()).isZero();
        }
    }

    /** A clock that changes only when it is advanced. */
    private static final class ManualClock implements LoopClock {
        private long nowNs;
        private Runnable wakeup;
        private long wakeupNs;

        @Override
        public long nowNs() {
            return nowNs;
        }

        @Override
        public long epochMs() {
            return nowNs / 1_000_000;
        }

        @Override
        public Wakeup wakeAfter(long delayMs, Runnable task) {
            wakeup = task;
            wakeupNs = nowNs + delayMs * 1_000_000;
            return () -> wakeup = null;
        }

        void advance(long byNs) {
            long untilNs = nowNs + byNs;
            while (wakeup != null && wakeupNs <= untilNs) {
                Runnable due = wakeup;
                nowNs = wakeupNs;
                wakeup = null;
                due.run();
            }
            nowNs = untilNs;
        }
    }
}
