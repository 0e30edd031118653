package io.queenmq.engine.numbers;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RefusalLogTest {
    private final RefusalLog log = new RefusalLog();

    @Test
    void oneLineForEachQueueAndReason() {
        for (int i = 0; i < 1000; i++) {
            log.add("orders", PushRefusal.FULL, "the queue is full: maxSize " + i);
        }
        log.add("orders", PushRefusal.LOCKED, "locked");
        log.add("cards", PushRefusal.ENCRYPTION, "no key");

        assertThat(log.take()).containsExactly(
                "pushes refused: 1000 to queue orders, reason full: the queue is full: maxSize 999",
                "pushes refused: 1 to queue orders, reason locked: locked",
                "pushes refused: 1 to queue cards, reason encryption: no key");
        assertThat(log.take()).as("logged once").isEmpty();
    }

    @Test
    void theNumberOfLinesIsBounded() {
        for (int i = 0; i < 3 * RefusalLog.LINES_MAX; i++) {
            log.add("queue-" + i, PushRefusal.FULL, "full");
        }
        log.add("queue-0", PushRefusal.FULL, "full");

        assertThat(log.take()).hasSize(RefusalLog.LINES_MAX + 1)
                .contains("pushes refused: 2 to queue queue-0, reason full: full")
                .endsWith("pushes refused: " + 2 * RefusalLog.LINES_MAX + " to other queues or for other reasons");
    }
}
