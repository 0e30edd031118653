package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A deleted message is never delivered, even if a server has cached it, and never delays other messages. */
class RemovedMessageTest {
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
    void noServerDeliversADeletedMessageThatItHasCached() {
        here.push(queue, "a", "1", "2", "3");
        here.pop(queue, "batch=5", "consumerGroup=before", "wait=true", "timeout=60000");
        there.pop(queue, "batch=5", "consumerGroup=before-there", "wait=true", "timeout=60000");

        delete("2");

        for (QueenClient server : new QueenClient[]{here, there}) {
            Answer popped = server.pop(queue, "batch=5", "consumerGroup=g" + server.hashCode(), "wait=true",
                    "timeout=60000");
            assertThat(popped.transactionIds()).containsExactly("1", "3");
            server.ackAll(popped, "completed");
            assertThat(server.pop(queue, "consumerGroup=g" + server.hashCode()).isEmpty()).isTrue();
            assertThat(
                    server.popPartition(queue, "a", "batch=5", "autoAck=true", "consumerGroup=auto" + server.hashCode())
                            .transactionIds())
                    .containsExactly("1", "3");
        }
    }

    @Test
    void theLeaseHolderMayAckADeletedMessageOnAnyServer() {
        here.push(queue, "a", "1", "2");
        Answer held = here.pop(queue, "batch=2");

        delete("1");

        assertThat(there.ackAll(held, "completed").each("success")).containsOnly("true");
        assertThat(here.pop(queue).isEmpty()).isTrue();
    }

    @Test
    void aDeletedMessageIsNotRedeliveredAfterItsLeaseExpires() {
        here.push(queue, "a", "1", "2");
        here.pop(queue, "batch=2");
        delete("1");
        server.expireLeases(queue);

        JsonNode next = there.popPartition(queue, "a", "wait=true", "timeout=60000").message();

        assertThat(next.get("transactionId").asText()).isEqualTo("2");
    }

    @Test
    void partitionsWithOnlyDeletedMessagesDoNotHideOthers() {
        for (int i = 0; i < 30; i++) {
            here.push(queue, "partition-" + i, "m" + i);
        }
        for (int i = 0; i < 30; i++) {
            delete("m" + i);
        }
        here.push(queue, "fresh", "fresh");

        assertThat(there.pop(queue, "wait=true", "timeout=60000").transactionIds()).containsExactly("fresh");
        assertThat(here.pop(queue, "consumerGroup=g", "wait=true", "timeout=60000").transactionIds())
                .containsExactly("fresh");
        assertThat(here.pop(queue, "consumerGroup=g", "wait=true", "timeout=300").isEmpty()).isTrue();
    }

    @Test
    void theTransactionIdOfADeletedMessageStaysADuplicate() {
        here.push(queue, "a", "1");
        delete("1");

        assertThat(here.push(queue, "a", "1").each("status")).as("a repeated push does not store it again")
                .containsExactly("duplicate");
        assertThat(there.push(queue, "a", "1").each("status")).as("nor on another server").containsExactly("duplicate");
    }

    @Test
    void aMissingMessageCannotBeDeleted() {
        here.push(queue, "a", "1");
        String path = path("1");
        delete("1");

        assertThat(here.delete(path).status()).isEqualTo(404);
    }

    private void delete(String transactionId) {
        Answer deleted = here.delete(path(transactionId));
        assertThat(deleted.status()).as(deleted.body()).isEqualTo(200);
        assertThat(Answer.fieldsOf(deleted.json())).containsExactlyInAnyOrder("success", "partitionId", "transactionId",
                "message");
    }

    private String path(String transactionId) {
        String partition = server
                .select("select m.partition_id from queen.message m where m.queue = ?" + " and m.transaction_id = ?",
                        queue, transactionId)
                .getFirst();
        return "/api/v1/messages/" + partition + "/" + transactionId;
    }
}
