package io.queenmq.engine.numbers;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RefusalLogTest {
    private final RefusalLog log = new RefusalLog();

    @Test
    void oneLineForEachQueueAndReasonHoweverManyPushesWereRefused() {
        for (int i = 0; i < 1000; i++) {
            log.add("orders", PushRefusal.FULL, "the queue is full: maxSize " + i);
        }
        log.add("orders", PushRefusal.LOCKED, "locked");
        log.add("cards", PushRefusal.ENCRYPTION, "no key");

        assertThat(log.take()).containsExactly(
                "orders refused 1000 pushes, reason full: the queue is full: maxSize 999",
                "orders refused 1 push, reason locked: locked", "cards refused 1 push, reason encryption: no key");
        assertThat(log.take()).as("told once").isEmpty();
    }

    @Test
    void noMoreLinesThanAnybodyReads() {
        for (int i = 0; i < 3 * RefusalLog.LINES_MAX; i++) {
            log.add("queue-" + i, PushRefusal.FULL, "full");
        }
        log.add("queue-0", PushRefusal.FULL, "full");

        assertThat(log.take()).hasSize(RefusalLog.LINES_MAX + 1)
                .contains("queue-0 refused 2 pushes, reason full: full")
                .endsWith("for other queues or reasons " + 2 * RefusalLog.LINES_MAX + " pushes were refused");
    }
}
