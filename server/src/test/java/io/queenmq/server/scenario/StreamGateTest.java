package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A stream runner that reads state and sends no cycle keeps a gate closed: the expiry of its lease charges no attempt. */
class StreamGateTest {
    @RegisterExtension
    static final QueenServer server = QueenServer.withDefaults();

    private static QueenClient there;

    private final QueenClient queen = server.client();
    private final String in = server.newQueue();
    private final StreamClient stream = StreamClient.register(queen, in);

    @BeforeAll
    static void startAnother() {
        there = server.startAnother();
    }

    @Test
    void aGateThatStaysClosedDeadLettersNothing() {
        queen.configure(in, "{\"retryLimit\":3,\"retryDelay\":0}");
        queen.push(in, "a", "1", "2", "3", "4", "5");

        for (int i = 0; i < 12; i++) {
            List<JsonNode> messages = stream.pop(200).messages();
            assertThat(messages).hasSize(5).allMatch(message -> message.path("retryCount").asInt() == 0);
            // The read reaches another server than the pop.
            stream.at(there).state(id(messages));
            server.expireLeases(in);
        }

        List<JsonNode> messages = stream.pop(200).messages();
        assertThat(stream.send(stream.cycle(id(messages)).ack(messages.getLast())).json().get("success").asBoolean())
                .isTrue();
        assertThat(server.deadLetters(in)).isEmpty();
    }

    @Test
    void aMessageWithoutRetriesSurvivesAClosedGate() {
        queen.configure(in, "{\"retryLimit\":0,\"retryDelay\":0}");
        queen.push(in, "a", "1", "2");

        for (int i = 0; i < 3; i++) {
            List<JsonNode> messages = stream.pop(1).messages();
            stream.state(id(messages));
            server.expireLeases(in);
        }

        assertThat(stream.pop(2).transactionIds()).containsExactly("1", "2");
        assertThat(server.deadLetters(in)).isEmpty();
    }

    @Test
    void onlyTheReadPartitionsOfALeaseAreExempt() {
        queen.configure(in, "{\"retryLimit\":3,\"retryDelay\":0}");
        queen.push(in, "a", "1");
        queen.push(in, "b", "2");

        List<JsonNode> messages = List.of(stream.popPartition("a", 1).messages().getFirst(),
                stream.popPartition("b", 1).messages().getFirst());
        stream.state(messages.getFirst().get("partitionId").asText());
        // A read of ripe windows by the timer of another runner is no evidence for the lease holder.
        stream.ripe(messages.getLast().get("partitionId").asText(), 1000);
        server.expireLeases(in);

        assertThat(stream.popPartition("a", 1).messages().getFirst().path("retryCount").asInt()).isZero();
        assertThat(stream.popPartition("b", 1).messages().getFirst().path("retryCount").asInt()).isEqualTo(1);
    }

    @Test
    void aReadUnderAnEarlierLeaseExemptsNothing() {
        queen.configure(in, "{\"retryLimit\":3,\"retryDelay\":0}");
        queen.push(in, "a", "1");

        stream.state(id(stream.pop(1).messages()));
        server.expireLeases(in);
        stream.pop(1);
        server.expireLeases(in);

        assertThat(stream.pop(1).messages().getFirst().path("retryCount").asInt()).isEqualTo(1);
    }

    @Test
    void aCrashLoopEndsAfterManyExpiriesAndThreeDaysWithoutProgress() {
        queen.configure(in, "{\"retryLimit\":1,\"retryDelay\":0}");
        queen.push(in, "a", "poison", "next");

        crash();
        crash();
        // Many expiries alone do not end the exemption, nor does a long time.
        server.updateEverywhere("update stream_partition set idle_expiries = 1000000 where query_id = ?::uuid",
                stream.queryId());
        crash();
        server.updateEverywhere(
                "update stream_partition set idle_expiries = 10, idle_since = idle_since - interval '4 days'"
                        + " where query_id = ?::uuid",
                stream.queryId());
        assertThat(crash()).containsExactly("poison", "next");

        // Each pop expires the lease before it.
        server.updateEverywhere("update stream_partition set idle_expiries = 1000 where query_id = ?::uuid",
                stream.queryId());
        assertThat(crash()).containsExactly("poison");

        assertThat(stream.pop(10).transactionIds()).containsExactly("next");
        assertThat(server.deadLetters(in)).containsExactly("poison 2");
    }

    @Test
    void progressRestartsTheCountOfExpiries() {
        queen.configure(in, "{\"retryLimit\":0,\"retryDelay\":0}");
        queen.push(in, "a", "1", "2", "3");
        crash();
        server.updateEverywhere(
                "update stream_partition set idle_expiries = 1000, idle_since = idle_since - interval '4 days'"
                        + " where query_id = ?::uuid",
                stream.queryId());

        List<JsonNode> messages = stream.pop(3).messages();
        stream.send(stream.cycle(id(messages)).ack(messages.getFirst()));
        crash();
        crash();

        assertThat(stream.pop(3).transactionIds()).containsExactly("2", "3");
        assertThat(server.deadLetters(in)).isEmpty();
        assertThat(server.select("select idle_expiries from queen.stream_partition where query_id = ?::uuid",
                stream.queryId())).containsExactly("2");
    }

    /** The runner reads state and ends. Returns the messages that it had. */
    private List<String> crash() {
        Answer popped = stream.pop(200);
        stream.state(id(popped.messages()));
        server.expireLeases(in);
        return popped.transactionIds();
    }

    private static String id(List<JsonNode> messages) {
        return messages.getFirst().get("partitionId").asText();
    }
}
