package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.testkit.Await;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The start position of a group is determined by its first pop, independent of the messages at that time. */
class SubscriptionTest {
    @RegisterExtension
    static final QueenServer server = QueenServer.withDefaults();

    private final QueenClient queen = server.client();
    private final String queue = server.newQueue();

    @ParameterizedTest
    @ValueSource(strings = {"subscriptionMode=new", "subscriptionMode=new-only", "subscriptionFrom=now"})
    void aGroupForNewMessagesGetsMessagesAfterItsFirstPopOfAnEmptyQueue(String subscription) {
        queen.configure(queue, "{}");
        assertThat(queen.pop(queue, "consumerGroup=g", subscription).isEmpty()).isTrue();

        queen.push(queue, "Default", "1");

        assertThat(queen.pop(queue, "consumerGroup=g", subscription).transactionIds()).containsExactly("1");
    }

    @Test
    void aGroupForNewMessagesGetsMessagesAfterItsFirstPopOfAMissingQueue() {
        assertThat(queen.pop(queue, "consumerGroup=g", "subscriptionMode=new").isEmpty()).isTrue();

        queen.push(queue, "a", "1");

        assertThat(queen.pop(queue, "consumerGroup=g", "subscriptionMode=new").transactionIds()).containsExactly("1");
    }

    @Test
    void aWaitingPopForNewMessagesOfAMissingQueueGetsTheFirstMessage() {
        CompletableFuture<Answer> waiting = queen.popLater(queue, "consumerGroup=g", "subscriptionMode=new",
                "wait=true", "timeout=60000");
        awaitSubscription("g");

        queen.push(queue, "a", "1");

        assertThat(waiting.join().transactionIds()).containsExactly("1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"subscriptionMode=new", "subscriptionMode=new-only", "subscriptionFrom=now",
        "subscriptionMode=all&subscriptionFrom=now"})
    void aGroupForNewMessagesDoesNotGetOldOnes(String subscription) {
        queen.push(queue, "a", "old");
        assertThat(queen.pop(queue, "consumerGroup=g", subscription).isEmpty()).isTrue();

        queen.push(queue, "a", "new");

        assertThat(queen.pop(queue, "consumerGroup=g", "batch=9", subscription).transactionIds())
                .containsExactly("new");
    }

    @ParameterizedTest
    @ValueSource(strings = {"subscriptionMode=all", "subscriptionMode=", "subscriptionMode=from_beginning",
        "subscriptionMode=whatever", "batch=9"})
    void everyOtherGroupReadsFromTheBeginning(String subscription) {
        queen.push(queue, "a", "old");

        assertThat(queen.pop(queue, "consumerGroup=g", subscription).transactionIds()).containsExactly("old");
    }

    @Test
    void partitionsCreatedAfterTheSubscriptionAreReadFromTheirStart() {
        queen.push(queue, "a", "old");
        queen.pop(queue, "consumerGroup=g", "subscriptionMode=new");

        queen.push(queue, "b", "first", "second");

        assertThat(queen.pop(queue, "consumerGroup=g", "batch=9", "partitions=9").transactionIds())
                .containsExactly("first", "second");
    }

    @Test
    void aTimestampStartsAtTheFirstMessageThatIsNotOlder() {
        queen.push(queue, "a", "old");
        server.age(queue, 3600);
        queen.push(queue, "a", "recent");
        String from = "subscriptionFrom=" + Instant.now().minusSeconds(600);

        assertThat(queen.pop(queue, "consumerGroup=g", "batch=9", "subscriptionMode=new", from).transactionIds())
                .containsExactly("recent");
    }

    @Test
    void aTimestampAppliesToPartitionsReadLater() {
        queen.push(queue, "a", "1");
        String from = "subscriptionFrom=" + Instant.now().minusSeconds(600);
        queen.pop(queue, "consumerGroup=g", "autoAck=true", from);

        queen.push(queue, "b", "2");

        assertThat(queen.pop(queue, "consumerGroup=g", "batch=9").transactionIds()).containsExactly("2");
    }

    @Test
    void theFirstSubscriptionStaysInForce() {
        queen.push(queue, "a", "old");
        queen.pop(queue, "consumerGroup=g", "subscriptionMode=new");

        assertThat(queen.pop(queue, "consumerGroup=g", "subscriptionMode=all").isEmpty()).isTrue();
        assertThat(server.startAnother().pop(queue, "consumerGroup=g", "subscriptionMode=all").isEmpty()).isTrue();
    }

    @Test
    void queueModeReadsFromTheBeginningForAnySubscription() {
        queen.push(queue, "a", "old");

        assertThat(queen.pop(queue, "subscriptionMode=new").transactionIds()).containsExactly("old");
    }

    @Test
    void aGroupForNewMessagesOfANamespaceDoesNotGetOldOnesOfItsQueues() {
        String namespace = "ns" + System.nanoTime();
        queen.push(namespace + ".t.one", "a", "old");
        String path = "/api/v1/pop?namespace=" + namespace
                + "&consumerGroup=g&batch=9&partitions=9&subscriptionMode=new";
        assertThat(queen.get(path).isEmpty()).isTrue();

        queen.push(namespace + ".t.one", "a", "new");
        queen.push(namespace + ".t.two", "a", "first");

        // One response may contain only one of them: the backlog of a new queue may be loaded a moment later.
        List<String> delivered = new ArrayList<>();
        Await.until(() -> delivered.addAll(queen.get(path).transactionIds()) && delivered.size() >= 2);
        assertThat(delivered).containsExactlyInAnyOrder("new", "first");
    }

    private void awaitSubscription(String group) {
        Await.until(() -> !server
                .select("select 1 from queen.subscription where group_name = ? and queue_name = ?", group, queue)
                .isEmpty());
    }
}
