package io.queenmq.engine.budget;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ByteBudgetTest {
    private final ByteBudget budget = new ByteBudget(100);

    @Test
    void bytesBeyondTheLimitAreCounted() {
        ByteBudget.Share share = budget.open();
        share.add(60);
        share.add(60);

        assertThat(budget.held()).isEqualTo(120);
        assertThat(budget.isAvailable()).isFalse();
    }

    @Test
    void aShareReleasesItsBytesOnce() {
        ByteBudget.Share share = budget.open();
        budget.open().add(10);
        share.add(60);

        share.close();
        share.close();
        share.add(5);

        assertThat(budget.held()).isEqualTo(10);
    }

    @Test
    void aShareThatShrinksReleasesTheDifference() {
        ByteBudget.Share share = budget.open();
        share.add(100);

        share.resize(30);

        assertThat(budget.held()).isEqualTo(30);
        assertThat(budget.isAvailable()).isTrue();
    }

    @Test
    void aWaitingTaskRunsOnceWhenBytesAreAvailable() {
        ByteBudget.Share share = budget.open();
        share.add(150);
        AtomicInteger calls = new AtomicInteger();
        budget.whenAvailable(calls::incrementAndGet);

        share.resize(100);
        assertThat(calls).hasValue(0);
        share.resize(99);
        share.resize(50);

        assertThat(calls).hasValue(1);
    }

    @Test
    void aTaskRunsAtOnceIfBytesAreAvailable() {
        AtomicInteger calls = new AtomicInteger();

        budget.whenAvailable(calls::incrementAndGet);

        assertThat(calls).hasValue(1);
    }

    @Test
    void concurrentChangesAreNotLost() throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            threads.add(Thread.ofPlatform().start(() -> {
                for (int i = 0; i < 20_000; i++) {
                    ByteBudget.Share share = budget.open();
                    share.add(i);
                    share.resize(i / 2);
                    share.close();
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(budget.held()).isZero();
    }
}
