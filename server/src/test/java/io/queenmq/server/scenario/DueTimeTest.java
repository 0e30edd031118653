package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Messages that must not be delivered yet: delayedProcessing and windowBuffer. */
class DueTimeTest {
    @RegisterExtension
    static final QueenServer server = QueenServer.withDefaults();

    private final QueenClient queen = server.client();
    private final String queue = server.newQueue();

    /** Polls while the window is open must not hide the partition. */
    @Test
    void aPartitionPolledDuringALongWindowIsDeliveredWhenTheWindowEnds() {
        queen.configure(queue, "{\"windowBuffer\":300}");
        queen.push(queue, "a", "1", "2");
        for (int i = 0; i < 5; i++) {
            assertThat(queen.pop(queue, "batch=9").isEmpty()).isTrue();
            assertThat(queen.popPartition(queue, "a", "batch=9").isEmpty()).isTrue();
            server.age(queue, 59);
        }

        server.age(queue, 6);

        assertThat(queen.popPartition(queue, "a", "batch=9").transactionIds()).containsExactly("1", "2");
    }

    @Test
    void aPartitionPolledDuringALongWindowIsFoundByPopsOnOtherServers() {
        queen.configure(queue, "{\"windowBuffer\":300}");
        queen.push(queue, "a", "1");
        assertThat(queen.pop(queue).isEmpty()).isTrue();

        server.age(queue, 301);

        assertThat(server.startAnother().pop(queue).transactionIds()).containsExactly("1");
    }

    @Test
    void aWaitingPopIsWokenAtTheEndOfAWindow() {
        queen.configure(queue, "{\"windowBuffer\":1}");
        CompletableFuture<Answer> waiting = queen.popLater(queue, "batch=9", "wait=true", "timeout=60000");
        queen.push(queue, "a", "1", "2");

        assertThat(waiting.join().transactionIds()).containsExactly("1", "2");
        assertThat(server.select("select 1 from queen.partition p join queen.queue q on q.id = p.queue_id"
                + " where q.name = ? and p.last_push_at > clock_timestamp() - interval '1 s'", queue)).isEmpty();
    }

    @Test
    void aPushIntoAnOpenWindowExtendsIt() {
        queen.configure(queue, "{\"windowBuffer\":300}");
        queen.push(queue, "a", "1");
        server.age(queue, 299);
        queen.push(queue, "a", "2");
        server.age(queue, 2);

        assertThat(queen.popPartition(queue, "a", "batch=9").isEmpty()).isTrue();

        server.age(queue, 299);
        assertThat(queen.popPartition(queue, "a", "batch=9").transactionIds()).containsExactly("1", "2");
    }

    @Test
    void onlyDueMessagesAreDelivered() {
        queen.configure(queue, "{\"delayedProcessing\":300}");
        queen.push(queue, "a", "1", "2");
        server.age(queue, 301);
        queen.push(queue, "a", "3");

        Answer popped = queen.popPartition(queue, "a", "batch=9");

        assertThat(popped.transactionIds()).containsExactly("1", "2");
        queen.ackAll(popped, "completed");
        assertThat(queen.popPartition(queue, "a", "batch=9").isEmpty()).isTrue();
    }

    @Test
    void aDelayedMessageIsDeliveredToAWaitingPopWhenItIsDue() {
        queen.configure(queue, "{\"delayedProcessing\":1}");
        CompletableFuture<Answer> anyPartition = queen.popLater(queue, "wait=true", "timeout=60000", "consumerGroup=g");
        CompletableFuture<Answer> thisPartition = queen.popPartitionLater(queue, "a", "wait=true", "timeout=60000");

        queen.push(queue, "a", "1");

        assertThat(anyPartition.join().transactionIds()).containsExactly("1");
        assertThat(thisPartition.join().transactionIds()).containsExactly("1");
        assertThat(server.select("select 1 from queen.segment s join queen.partition p on p.id = s.partition_id join"
                + " queen.queue q on q.id = p.queue_id where q.name = ? and s.created_at > clock_timestamp() - interval '1 s'",
                queue)).isEmpty();
    }
}
