package io.queenmq.engine.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.engine.queue.Queue;
import org.junit.jupiter.api.Test;

class QueueDirectoryTest {
    private static final Queue FIRST = TestQueues.queue("a1");
    private static final Queue PAUSED = TestQueues.queue("a1p");
    private static final Queue SECOND = TestQueues.queue("a2");

    private final QueueDirectory directory = new QueueDirectory();

    @Test
    void aChangedQueueReplacesTheOneWithItsId() {
        directory.put(null, FIRST);
        directory.put(FIRST, PAUSED);

        assertThat(directory.find(FIRST.id())).isEqualTo(PAUSED);
    }

    @Test
    void aQueueThatWasCreatedAgainIsFoundByItsNewIdOnly() {
        directory.put(null, FIRST);
        directory.put(FIRST, SECOND);

        assertThat(directory.find(FIRST.id())).isNull();
        assertThat(directory.find(SECOND.id())).isEqualTo(SECOND);
        assertThat(directory.ids(_ -> true)).containsExactly(SECOND.id());
    }

    @Test
    void aDeletedQueueHasTheNamespaceOfItsNextPush() {
        Queue configured = new Queue(FIRST.id(), "shop.orders", "billing", "", FIRST.options(), false,
                FIRST.pausedGroups(), 0);
        directory.put(null, configured);
        assertThat(directory.namespaceOf("shop.orders")).isEqualTo("billing");
        assertThat(directory.namespaceOrNull("shop.orders")).isEqualTo("billing");

        directory.remove(configured);

        assertThat(directory.namespaceOf("shop.orders")).isEqualTo("shop");
        assertThat(directory.namespaceOrNull("shop.orders")).isNull();
        assertThat(directory.find(FIRST.id())).isNull();
    }

    @Test
    void idsOfMatchingQueuesAreReturned() {
        directory.put(null, PAUSED);
        directory.put(null, TestQueues.queue("b2"));

        assertThat(directory.ids(Queue::isPaused)).containsExactly(PAUSED.id());
    }
}
