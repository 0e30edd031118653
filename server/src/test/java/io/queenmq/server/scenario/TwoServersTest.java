package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Two servers on one database that are not connected to each other. */
class TwoServersTest {
    @RegisterExtension
    static final QueenServer server = QueenServer.withDefaults();

    private static QueenClient there;

    private final QueenClient here = server.client();
    private final String queue = server.newQueue();

    @BeforeAll
    static void startOther() {
        there = server.startAnother();
    }

    @Test
    void aPushOnOneServerIsDeliveredToWaitingPopsOfTheOther() {
        there.push(queue, "known", "0");
        here.pop(queue, "autoAck=true", "wait=true", "timeout=60000");
        for (int i = 0; i < 5; i++) {
            CompletableFuture<Answer> anyPartition = here.popLater(queue, "wait=true", "timeout=60000", "autoAck=true");
            CompletableFuture<Answer> onePartition = here.popPartitionLater(queue, "known", "wait=true",
                    "timeout=60000", "consumerGroup=g" + i, "subscriptionMode=new", "autoAck=true");
            assertThat(here.popPartition(queue, "known", "consumerGroup=g" + i, "subscriptionMode=new").isEmpty())
                    .isTrue();

            there.push(queue, "known", "message-" + i);

            assertThat(anyPartition.join().transactionIds()).containsExactly("message-" + i);
            assertThat(onePartition.join().transactionIds()).containsExactly("message-" + i);
        }
    }

    @Test
    void aPushOnOneServerIsDeliveredOnTheOtherAfterManyEmptyPolls() {
        here.configure(queue, "{}");
        for (int i = 0; i < 10; i++) {
            CompletableFuture<Answer> waiting = here.popLater(queue, "wait=true", "timeout=30000", "autoAck=true");
            here.push(queue, "a", "here-" + i);
            assertThat(waiting.join().transactionIds()).containsExactly("here-" + i);
        }

        there.push(queue, "b", "there");

        assertThat(here.pop(queue, "wait=true", "timeout=30000", "autoAck=true").transactionIds())
                .containsExactly("there");
    }

    @Test
    void aQueueCreatedOnOneServerIsDeliveredToPopsThatWaitForItOnTheOther() {
        CompletableFuture<Answer> waiting = here.popLater(queue, "wait=true", "timeout=60000");

        there.push(queue, "a", "1");

        assertThat(waiting.join().transactionIds()).containsExactly("1");
    }

    @Test
    void anAckOnOneServerServesWaitingPopsOfTheOther() {
        here.push(queue, "a", "1", "2", "3");
        JsonNode held = here.pop(queue).message();
        CompletableFuture<Answer> waiting = here.popLater(queue, "wait=true", "timeout=60000");

        there.ack(held, "completed");

        Answer next = waiting.join();
        assertThat(next.transactionIds()).containsExactly("2");
        CompletableFuture<Answer> named = here.popPartitionLater(queue, "a", "wait=true", "timeout=60000");
        there.ackAll(next, "completed");
        assertThat(named.join().transactionIds()).containsExactly("3");
    }

    @Test
    void anAckOnOneServerFreesAPartitionWithOldMessagesOnTheOther() {
        here.push(queue, "a", "1", "2");
        server.age(queue, 3600);
        JsonNode held = here.pop(queue).message();
        assertThat(here.pop(queue).isEmpty()).isTrue();

        there.ack(held, "completed");

        assertThat(here.pop(queue, "wait=true", "timeout=60000").transactionIds()).containsExactly("2");
    }

    @Test
    void aPartitionWithOldMessagesIsFoundOnTheOtherServerAfterItsLeaseEnds() {
        there.push(queue, "a", "1", "2");
        server.age(queue, 3600);
        Answer held = here.pop(queue, "wait=true", "timeout=60000");
        assertThat(there.pop(queue).isEmpty()).isTrue();
        CompletableFuture<Answer> waiting = there.popLater(queue, "wait=true", "timeout=60000");

        here.ackAll(held, "completed");

        assertThat(waiting.join().transactionIds()).containsExactly("2");
    }

    @Test
    void allPartitionsAreFoundAlsoIfOneQueryDoesNotReturnAll() {
        there.push(queue, "first", "0");
        here.pop(queue, "autoAck=true", "wait=true", "timeout=60000");
        int partitions = 4_500;
        String items = IntStream.range(0, partitions).mapToObj(i -> "{\"queue\":\"" + queue
                + "\",\"partition\":\"partition-" + i + "\",\"transactionId\":\"" + i + "\"}")
                .collect(Collectors.joining(",", "{\"items\":[", "]}"));
        there.post("/api/v1/push", items);

        List<String> got = new ArrayList<>();
        while (got.size() < partitions) {
            Answer popped = here.pop(queue, "batch=1000", "partitions=100", "autoAck=true", "wait=true",
                    "timeout=60000");
            assertThat(popped.status()).as("after " + got.size() + " partitions").isEqualTo(200);
            got.addAll(popped.transactionIds());
        }

        assertThat(got).hasSize(partitions).doesNotHaveDuplicates();
    }

    @Test
    void noPartitionIsLeasedTwice() {
        int messages = 400;
        here.push(queue, "partition-0", "first");
        there.pop(queue, "wait=true", "timeout=60000", "autoAck=true");
        Set<String> held = ConcurrentHashMap.newKeySet();
        List<String> finished = Collections.synchronizedList(new ArrayList<>());
        List<String> clashes = Collections.synchronizedList(new ArrayList<>());
        List<CompletableFuture<Void>> consumers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            QueenClient queen = i % 2 == 0 ? here : there;
            consumers.add(CompletableFuture.runAsync(() -> {
                while (finished.size() < messages) {
                    Answer popped = queen.pop(queue, "batch=3", "partitions=2", "wait=true", "timeout=500");
                    Set<String> partitions = popped.messages().stream().map(each -> each.get("partition").asText())
                            .collect(Collectors.toSet());
                    partitions.stream().filter(partition -> !held.add(partition)).forEach(clashes::add);
                    if (!popped.isEmpty()) {
                        held.removeAll(partitions);
                        queen.ackAll(popped, "completed");
                        finished.addAll(popped.transactionIds());
                    }
                }
            }));
        }

        for (int i = 0; i < messages; i++) {
            (i % 2 == 0 ? there : here).push(queue, "partition-" + i % 7, "m" + i);
        }

        consumers.forEach(CompletableFuture::join);
        assertThat(clashes).isEmpty();
        assertThat(finished).hasSize(messages).doesNotHaveDuplicates();
    }
}
