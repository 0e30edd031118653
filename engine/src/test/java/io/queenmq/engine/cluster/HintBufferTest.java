package io.queenmq.engine.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.engine.cluster.Hint.Arrival;
import io.queenmq.engine.cluster.Hint.FreePartition;
import io.queenmq.engine.cluster.Hint.Introduction;
import io.queenmq.engine.cluster.Hint.PartitionEvents;
import io.queenmq.engine.cluster.Hint.PartitionHead;
import io.queenmq.engine.cluster.Hint.PushedQueue;
import io.queenmq.engine.queue.Queue;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class HintBufferTest {
    private static final UUID PARTITION = UUID.randomUUID();

    private final HintBuffer buffer = new HintBuffer();
    private final Queue orders = queue("orders");
    private final Queue other = queue("other");

    @Test
    void aPartitionIsSentOnceWithItsHighestHead() {
        buffer.pushed(orders, "a", 3);
        buffer.pushed(orders, "a", 5);
        buffer.pushed(orders, "a", 4);
        buffer.freed("orders", PARTITION, "billing");
        buffer.freed("orders", PARTITION, "billing");

        assertThat(buffer.hintsFor(reader("orders"))).containsExactly(
                new PartitionEvents(List.of(new PushedQueue("orders", orders.id(), List.of(new PartitionHead("a", 5)))),
                        List.of(new FreePartition(PARTITION, "billing"))));
    }

    @Test
    void aPeerGetsOnlyHintsOfQueuesThatItReads() {
        buffer.pushed(orders, "a", 3);
        buffer.freed("other", PARTITION, "billing");

        assertThat(buffer.hintsFor(reader())).isEmpty();
        assertThat(buffer.hintsFor(reader("other")))
                .containsExactly(new PartitionEvents(List.of(), List.of(new FreePartition(PARTITION, "billing"))));
    }

    @Test
    void onlyPartitionsOfTheNewQueueAreSentAfterItsRecreation() {
        buffer.pushed(orders, "old", 3);
        Queue again = queue("orders");
        buffer.pushed(again, "new", 1);

        assertThat(buffer.hintsFor(reader("orders"))).containsExactly(new PartitionEvents(
                List.of(new PushedQueue("orders", again.id(), List.of(new PartitionHead("new", 1)))), List.of()));
    }

    @Test
    void aQueueWithTooManyPartitionsIsSentAsAnArrival() {
        buffer.pushed(other, "a", 1);
        for (int i = 0; i < 10_000; i++) {
            buffer.pushed(orders, "partition-" + i, 1);
        }

        assertThat(buffer.hintsFor(reader("orders", "other"))).containsExactly(new Arrival("orders", null),
                new PartitionEvents(List.of(new PushedQueue("other", other.id(), List.of(new PartitionHead("a", 1)))),
                        List.of()));
    }

    /** Names of 255 characters with four bytes each are the largest possible. */
    @Test
    void noHintIsTooLargeForAFrame() {
        for (int i = 0; i < 1_000; i++) {
            buffer.pushed(queue("queue-" + i), "🐝".repeat(250) + i, 1);
        }
        Introduction everything = new Introduction(1, "n", "v", 0, true, Set.of(), false);

        assertThat(buffer.hintsFor(everything))
                .allSatisfy(hint -> assertThat(HintCodec.encode(hint).length).isLessThan(200_000));
    }

    @Test
    void theBufferIsEmptyAfterClear() {
        for (int i = 0; i < 10_000; i++) {
            buffer.pushed(orders, "partition-" + i, 1);
        }
        buffer.clear();
        assertThat(buffer.isEmpty()).isTrue();
        buffer.pushed(orders, "a", 3);

        assertThat(buffer.hintsFor(reader("orders"))).hasSize(1).first().isInstanceOf(PartitionEvents.class);
    }

    private static Introduction reader(String... queues) {
        return new Introduction(1, "n", "v", 0, false, Set.of(queues), false);
    }

    private static Queue queue(String name) {
        return new Queue(UUID.randomUUID(), name, "", "", null, false, Set.of(), 0);
    }
}
