package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The selection of partitions by pops of a queue. */
class FairnessTest {
    @RegisterExtension
    static final QueenServer server = QueenServer.withDefaults();

    private final QueenClient queen = server.client();
    private final String queue = server.newQueue();

    /** Partitions without deliverable messages do not delay pops. */
    @Nested
    class PartitionsWithoutWork {
        @Test
        void theOneMessageAmongFiftyPartitionsEmptiedByRetentionIsFoundByEveryFirstPop() {
            for (int i = 0; i < 50; i++) {
                queen.push(queue, "empty-" + i, "x");
            }
            server.updateEverywhere("update partition set tail = head where queue_id ="
                    + " (select id from queen.queue where name = ?)", queue);
            server.updateEverywhere("delete from segment s using partition p where p.id = s.partition_id"
                    + " and p.queue_id = (select id from queen.queue where name = ?)", queue);
            queen.push(queue, "fresh", "1");

            for (int i = 0; i < 20; i++) {
                Answer popped = queen.pop(queue, "consumerGroup=g" + i, "partitions=" + (1 + i % 10));
                assertThat(popped.transactionIds()).as("group " + i).containsExactly("1");
            }
        }

        @Test
        void partitionsEmptiedByRetentionWhileTheyWereReadyDoNotHideANewOne() {
            queen.pop(queue, "consumerGroup=g");
            for (int i = 0; i < 50; i++) {
                queen.push(queue, "empty-" + i, "x");
            }
            queen.pop(queue, "consumerGroup=g", "autoAck=true");
            server.updateEverywhere("update partition set tail = head where queue_id ="
                    + " (select id from queen.queue where name = ?)", queue);
            queen.push(queue, "fresh", "1");

            assertThat(queen.pop(queue, "consumerGroup=g", "autoAck=true").transactionIds()).containsExactly("1");
        }

        @Test
        void partitionsThatAreNotDueDoNotCountAsPartitionsOfAPop() {
            queen.configure(queue, "{\"delayedProcessing\":3600}");
            queen.push(queue, "due", "1");
            server.age(queue, 3601);
            for (int i = 0; i < 20; i++) {
                queen.push(queue, "later-" + i, "x");
            }

            for (int i = 0; i < 20; i++) {
                assertThat(queen.pop(queue, "consumerGroup=g" + i).transactionIds()).as("group " + i)
                        .containsExactly("1");
            }
        }

        @Test
        void partitionsLeasedByOthersDoNotCountAsPartitionsOfAPop() {
            for (int i = 0; i < 20; i++) {
                queen.push(queue, "held-" + i, "x");
                queen.popPartition(queue, "held-" + i);
            }
            List<String> free = server.database().partitionsTogether(queue, 2);
            queen.push(queue, free.get(0), "1");
            queen.push(queue, free.get(1), "2");

            Answer popped = queen.pop(queue, "batch=10", "partitions=2");

            assertThat(popped.transactionIds()).containsExactlyInAnyOrder("1", "2");
        }
    }

    @Nested
    class Turns {
        /** Loads the backlogs of all shards. Otherwise, the first pop is served by the first shard that responds. */
        @BeforeEach
        void loadAllShards() {
            queen.configure(queue, "{}");
            assertThat(queen.pop(queue).isEmpty()).isTrue();
        }

        @Test
        void consecutivePopsRotateAmongThePartitions() {
            int partitions = 10;
            for (int i = 0; i < partitions; i++) {
                queen.push(queue, "partition-" + i, "1", "2", "3");
            }

            List<String> order = new ArrayList<>();
            for (int i = 0; i < 3 * partitions; i++) {
                Answer popped = queen.pop(queue);
                queen.ackAll(popped, "completed");
                order.add(popped.message().get("partition").asText());
            }

            for (int round = 0; round < 3; round++) {
                assertThat(order.subList(round * partitions, (round + 1) * partitions)).as("round " + round)
                        .doesNotHaveDuplicates();
            }
        }

        @Test
        void consecutiveAutoAckPopsRotateAmongThePartitions() {
            queen.push(queue, "a", "a1", "a2", "a3");
            queen.push(queue, "b", "b1", "b2", "b3");

            List<String> order = Stream.generate(() -> queen.pop(queue, "autoAck=true")).limit(6)
                    .map(popped -> popped.message().get("partition").asText()).toList();

            assertThat(order).isIn(List.of("a", "b", "a", "b", "a", "b"), List.of("b", "a", "b", "a", "b", "a"));
        }

        @Test
        void aBusyPartitionDoesNotDelayAQuietOne() {
            queen.push(queue, "busy", "1");
            queen.ackAll(queen.pop(queue), "completed");
            for (int i = 2; i < 5; i++) {
                queen.push(queue, "busy", Integer.toString(i));
            }
            queen.push(queue, "quiet", "q");

            Answer first = queen.pop(queue);
            queen.ackAll(first, "completed");
            Answer second = queen.pop(queue);

            assertThat(List.of(first.message().get("partition").asText(), second.message().get("partition").asText()))
                    .containsExactlyInAnyOrder("busy", "quiet");
        }
    }

    /** A stored message can be popped immediately. */
    @Nested
    class FirstPushOfAPartition {
        @Test
        void isVisibleToTheNextPop() {
            for (int i = 0; i < 50; i++) {
                queen.push(queue, "partition-" + i, "message-" + i);
                assertThat(queen.pop(queue).transactionIds()).containsExactly("message-" + i);
            }
        }

        @Test
        void isVisibleToTheNextPopOfAnotherServer() {
            QueenClient another = server.startAnother();
            queen.push(queue, "first", "0");
            awaitQueueAt(another);

            for (int i = 1; i < 30; i++) {
                queen.push(queue, "partition-" + i, "message-" + i);
                assertThat(another.pop(queue).transactionIds()).containsExactly("message-" + i);
            }
        }

        @Test
        void isVisibleAfterACrashOfItsServer() {
            queen.push(queue, "new partition", "1");

            assertThat(server.startAnother().pop(queue).transactionIds()).containsExactly("1");
        }

        /** Waits until the other server has loaded the queue, which takes at most a second. */
        private void awaitQueueAt(QueenClient another) {
            Answer popped = another.pop(queue, "wait=true", "timeout=60000");
            assertThat(popped.transactionIds()).containsExactly("0");
        }
    }
}
