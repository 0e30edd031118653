package io.queenmq.server.time;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class TimersTest {
    private final Vertx vertx = Vertx.vertx();
    private final ManualClock clock = new ManualClock();

    @AfterEach
    void close() {
        vertx.close().await();
    }

    @Test
    @DisplayName("D7: a task that is done again and again is done again after it has failed, whatever it threw")
    void aTaskThatFailsIsDoneAgain() throws InterruptedException {
        CountDownLatch turns = new CountDownLatch(3);

        vertx.getOrCreateContext().runOnContext(_ -> new Timers(new VertxClock(vertx)).every(1_000_000, () -> {
            turns.countDown();
            throw new StackOverflowError();
        }));

        assertThat(turns.await(1, TimeUnit.MINUTES)).isTrue();
    }

    @Test
    void alarmsRunInTheOrderTheyAreDueWhicheverAreCanceled() {
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

    /** A clock that stands still until it is advanced. */
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
