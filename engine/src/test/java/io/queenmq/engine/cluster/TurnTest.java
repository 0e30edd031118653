package io.queenmq.engine.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.engine.cluster.Hint.Arrival;
import io.queenmq.engine.cluster.Hint.FreePartition;
import io.queenmq.engine.cluster.Hint.Introduction;
import io.queenmq.engine.cluster.Hint.PartitionHead;
import io.queenmq.engine.cluster.Hint.PushedQueue;
import io.queenmq.engine.cluster.Hint.Ring;
import io.queenmq.engine.queue.Queue;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class TurnTest {
    private static final UUID PARTITION = UUID.randomUUID();

    private final Turn turn = new Turn();
    private final Queue orders = queue("orders");
    private final Queue other = queue("other");

    @Test
    void aPartitionIsToldOnceWithItsHighestHead() {
        turn.pushed(orders, "a", 3);
        turn.pushed(orders, "a", 5);
        turn.pushed(orders, "a", 4);
        turn.freed("orders", PARTITION, "billing");
        turn.freed("orders", PARTITION, "billing");

        assertThat(turn.hintsFor(reader("orders"))).containsExactly(new Arrival(
                List.of(new PushedQueue("orders", orders.id(), List.of(new PartitionHead("a", 5)))),
                List.of(new FreePartition(PARTITION, "billing"))));
    }

    @Test
    void nobodyHearsOfQueuesHeDoesNotRead() {
        turn.pushed(orders, "a", 3);
        turn.freed("other", PARTITION, "billing");

        assertThat(turn.hintsFor(reader())).isEmpty();
        assertThat(turn.hintsFor(reader("other"))).containsExactly(
                new Arrival(List.of(), List.of(new FreePartition(PARTITION, "billing"))));
    }

    @Test
    void ofAQueueThatWasCreatedAgainOnlyTheNewPartitionsAreTold() {
        turn.pushed(orders, "old", 3);
        Queue again = queue("orders");
        turn.pushed(again, "new", 1);

        assertThat(turn.hintsFor(reader("orders"))).containsExactly(new Arrival(
                List.of(new PushedQueue("orders", again.id(), List.of(new PartitionHead("new", 1)))), List.of()));
    }

    @Test
    void aQueueWithTooManyPartitionsIsToldByItsName() {
        turn.pushed(other, "a", 1);
        for (int i = 0; i < 10_000; i++) {
            turn.pushed(orders, "partition-" + i, 1);
        }

        assertThat(turn.hintsFor(reader("orders", "other"))).containsExactly(new Ring("orders", null),
                new Arrival(List.of(new PushedQueue("other", other.id(), List.of(new PartitionHead("a", 1)))),
                        List.of()));
    }

    /** Names of 255 characters that take four bytes each are the worst there is. */
    @Test
    void noHintIsTooLargeForAFrame() {
        for (int i = 0; i < 1_000; i++) {
            turn.pushed(queue("queue-" + i), "🐝".repeat(250) + i, 1);
        }
        Introduction everything = new Introduction(1, "n", "v", 0, true, Set.of(), false);

        assertThat(turn.hintsFor(everything)).allSatisfy(
                hint -> assertThat(HintCodec.encode(hint).length).isLessThan(200_000));
    }

    @Test
    void theNextTurnBeginsWithNothing() {
        for (int i = 0; i < 10_000; i++) {
            turn.pushed(orders, "partition-" + i, 1);
        }
        turn.clear();
        assertThat(turn.isEmpty()).isTrue();
        turn.pushed(orders, "a", 3);

        assertThat(turn.hintsFor(reader("orders"))).hasSize(1).first().isInstanceOf(Arrival.class);
    }

    private static Introduction reader(String... queues) {
        return new Introduction(1, "n", "v", 0, false, Set.of(queues), false);
    }

    private static Queue queue(String name) {
        return new Queue(UUID.randomUUID(), name, "", "", null, false, Set.of(), 0);
    }
}
