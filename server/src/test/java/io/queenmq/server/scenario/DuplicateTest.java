package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A transactionId is stored once per partition. A repeated push returns the id of the stored message. */
class DuplicateTest {
    @RegisterExtension
    static final QueenServer server = QueenServer.withDefaults();

    private QueenClient queen = server.client();
    private final String queue = server.newQueue();

    @Test
    void theFirstOfEqualIdsInOneRequestIsStored() {
        Answer answer = queen.push(queue, "a", "1", "2", "1", "1", "2");

        assertThat(answer.each("status")).containsExactly("queued", "queued", "duplicate", "duplicate", "duplicate");
        List<String> ids = answer.each("messageId");
        assertThat(ids.get(2)).isEqualTo(ids.get(0));
        assertThat(ids.get(3)).isEqualTo(ids.get(0));
        assertThat(ids.get(4)).isEqualTo(ids.get(1));
        assertThat(queen.pop(queue, "batch=9").transactionIds()).containsExactly("1", "2");
    }

    @Test
    void anIdOfAnEarlierRequestIsADuplicateAlsoAfterItWasConsumed() {
        String original = queen.push(queue, "a", "1").list().getFirst().get("messageId").asText();
        queen.pop(queue, "autoAck=true");

        Answer again = queen.push(queue, "a", "1", "2");

        assertThat(again.each("status")).containsExactly("duplicate", "queued");
        assertThat(again.each("messageId").getFirst()).isEqualTo(original);
        assertThat(queen.pop(queue, "batch=9").transactionIds()).containsExactly("2");
    }

    @Test
    void otherPartitionsAndQueuesAreIndependent() {
        assertThat(queen.push(queue, "a", "1").each("status")).containsExactly("queued");
        assertThat(queen.push(queue, "b", "1").each("status")).containsExactly("queued");
        assertThat(queen.push(queue + "-other", "a", "1").each("status")).containsExactly("queued");
    }

    @Test
    void ofManyConcurrentPushesOneIsStoredAndTheOthersReturnItsId() {
        List<CompletableFuture<Answer>> pushes = IntStream.range(0, 100)
                .mapToObj(i -> queen.pushLater(queue, "a", "same", "own-" + i)).toList();

        List<JsonNode> same = pushes.stream().map(push -> push.join().list().getFirst()).toList();

        assertThat(same.stream().filter(each -> each.get("status").asText().equals("queued"))).hasSize(1);
        assertThat(same.stream().filter(each -> each.get("status").asText().equals("duplicate"))).hasSize(99);
        assertThat(same.stream().map(each -> each.get("messageId").asText()).distinct()).hasSize(1);
        assertThat(queen.pop(queue, "batch=999").transactionIds()).hasSize(101).doesNotHaveDuplicates();
    }

    @Test
    void duplicatesAreRecognizedAfterARestart() {
        String original = queen.push(queue, "a", "1", "2").list().get(1).get("messageId").asText();

        server.stop();
        server.start();
        queen = server.client();
        Answer again = queen.push(queue, "a", "2", "3");

        assertThat(again.each("status")).containsExactly("duplicate", "queued");
        assertThat(again.each("messageId").getFirst()).isEqualTo(original);
        assertThat(queen.pop(queue, "batch=9").transactionIds()).containsExactly("1", "2", "3");
    }

    @Test
    void concurrentPushesOfTheSameIdsOnSeveralServersStoreEachOnce() {
        List<QueenClient> servers = List.of(queen, server.startAnother());
        List<CompletableFuture<Answer>> pushes = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            for (QueenClient each : servers) {
                pushes.add(each.pushLater(queue, "partition-" + i % 4, "message-" + i));
            }
        }

        Map<String, List<JsonNode>> byId = pushes.stream().map(push -> push.join().list().getFirst())
                .collect(Collectors.groupingBy(each -> each.get("transactionId").asText()));

        assertThat(byId).hasSize(200).allSatisfy((id, answers) -> {
            assertThat(answers.stream().map(each -> each.get("status").asText())).containsExactlyInAnyOrder("queued",
                    "duplicate");
            assertThat(answers.get(0).get("messageId")).isEqualTo(answers.get(1).get("messageId"));
        });
        List<String> stored = new ArrayList<>();
        for (int partition = 0; partition < 4; partition++) {
            stored.addAll(queen.popPartition(queue, "partition-" + partition, "batch=999").transactionIds());
        }
        assertThat(stored).hasSize(200).doesNotHaveDuplicates();
    }

    @Test
    void aServerRecognizesADuplicateOfAPushOnAnotherServer() {
        String original = queen.push(queue, "a", "1").list().getFirst().get("messageId").asText();
        QueenClient another = server.startAnother();
        another.push(queue, "a", "2");
        queen.push(queue, "a", "3");

        assertThat(another.push(queue, "a", "1").each("messageId")).containsExactly(original);
        assertThat(another.push(queue, "a", "3").each("status")).containsExactly("duplicate");
        assertThat(queen.push(queue, "a", "2").each("status")).containsExactly("duplicate");
    }
}
