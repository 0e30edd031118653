package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.queenmq.server.scenario.StreamClient.CycleBody;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A cycle of a stream query takes effect completely and once, under a live lease or while no lease exists. */
class StreamCycleTest {
    private static final String WINDOW = "{\"sum\":5,\"windowEnd\":1000}";

    @RegisterExtension
    static final QueenServer server = QueenServer.withDefaults();

    private static QueenClient there;

    private final QueenClient queen = server.client();
    private final String in = server.newQueue();
    private final String out = server.newQueue();
    private final StreamClient stream = StreamClient.register(queen, in);

    @BeforeAll
    static void startAnother() {
        there = server.startAnother();
    }

    @Test
    void stateOutputAndCursorChangeTogether() {
        queen.push(in, "a", "1", "2", "3");
        List<JsonNode> messages = stream.pop(10).messages();

        JsonNode answer = send(cycle(messages).upsert("k", WINDOW).push(out, "a", "{\"n\":1}").ack(messages.get(1)));

        assertThat(answer.get("success").asBoolean()).isTrue();
        assertThat(answer.get("query_id").asText()).isEqualTo(stream.queryId());
        assertThat(answer.get("partition_id")).isEqualTo(messages.getFirst().get("partitionId"));
        assertThat(answer.get("queueName").asText()).isEqualTo(in);
        assertThat(answer.get("state_ops_applied").asInt()).isEqualTo(1);
        assertThat(answer.at("/push_results/0/status").asText()).isEqualTo("queued");
        assertThat(answer.get("ack_result"))
                .isEqualTo(Answer.parse("{\"success\":true,\"count\":1,\"lease_released\":true,\"dlq\":false}"));
        assertThat(state(messages)).containsExactly("k=" + WINDOW);
        assertThat(pushed()).containsExactly("{\"n\":1}");
        assertThat(stream.pop(10).transactionIds()).containsExactly("3");
    }

    @Test
    void aRepeatedAckedCycleSucceedsAndTakesEffectOnce() {
        queen.push(in, "a", "1", "2");
        List<JsonNode> messages = stream.pop(1).messages();
        CycleBody cycle = cycle(messages).upsert("k", WINDOW).push(out, "a", "1").ack(messages.getFirst());

        send(cycle);
        List<JsonNode> next = stream.pop(1).messages();
        send(cycle(next).upsert("k", "{\"sum\":6}").push(out, "a", "2").ack(next.getFirst()));
        JsonNode again = send(cycle);
        JsonNode other = Answer.parse(stream.at(there).send(cycle).body());

        assertThat(List.of(again, other)).allMatch(answer -> answer.get("success").asBoolean())
                .allMatch(answer -> answer.at("/push_results/0/status").asText().equals("duplicate"))
                .allMatch(answer -> answer.get("state_ops_applied").asInt() == 0);
        assertThat(pushed()).containsExactly("1", "2");
        assertThat(state(next)).containsExactly("k={\"sum\":6}");
    }

    @Test
    void aCycleUnderAnExpiredLeaseChangesNothing() {
        queen.push(in, "a", "1");
        List<JsonNode> zombie = stream.pop(1).messages();
        server.expireLeases(in);
        List<JsonNode> owner = stream.popPartition("a", 1).messages();

        JsonNode late = send(cycle(zombie).upsert("k", "1").push(out, "a", "1").ack(zombie.getFirst()));

        assertThat(late.get("success").asBoolean()).isFalse();
        assertThat(late.get("error").asText()).contains("lease");
        assertThat(state(owner)).isEmpty();
        assertThat(pushed()).isEmpty();
        assertThat(send(cycle(owner).ack(owner.getFirst())).get("success").asBoolean()).isTrue();
        assertThat(send(cycle(zombie).upsert("k", "1").push(out, "a", "1").ack(zombie.getFirst())).get("success")
                .asBoolean()).isFalse();
        assertThat(pushed()).isEmpty();
    }

    @Test
    void aRepeatedFlushEmitsOnceAndChangesStateOnce() {
        List<JsonNode> partition = partitionWith(WINDOW);
        assertThat(stream.ripe(id(partition), 1000).json().get("rows")).hasSize(1);
        CycleBody flush = cycle(partition).delete("k").push(out, "a", "5");

        JsonNode first = send(flush);
        JsonNode second = Answer.parse(stream.at(there).send(flush).body());

        assertThat(first.get("success").asBoolean()).isTrue();
        assertThat(first.get("ack_result").isNull()).isTrue();
        assertThat(second.get("success").asBoolean()).isTrue();
        assertThat(second.at("/push_results/0/status").asText()).isEqualTo("duplicate");
        assertThat(pushed()).containsExactly("5");
        assertThat(state(partition)).isEmpty();
    }

    @Test
    void ofTwoRunnersThatReadTheSameWindowOneFlushesIt() {
        List<JsonNode> partition = partitionWith(WINDOW);
        stream.ripe(id(partition), 1000);
        stream.at(there).ripe(id(partition), 1000);

        List<CompletableFuture<Answer>> both = List.of(
                queen.postLater("/streams/v1/cycle", cycle(partition).delete("k").push(out, "a", "5").toString()),
                there.postLater("/streams/v1/cycle", cycle(partition).delete("k").push(out, "a", "[5]").toString()));

        assertThat(both).allMatch(answer -> answer.join().json().get("success").asBoolean());
        assertThat(pushed()).hasSize(1);
    }

    @Test
    void aFlushWaitsForTheLeaseHolderOfThePartition() {
        List<JsonNode> partition = partitionWith(WINDOW);
        stream.ripe(id(partition), 1000);
        queen.push(in, "a", "next");
        List<JsonNode> held = stream.pop(1).messages();

        JsonNode refused = send(cycle(partition).delete("k").push(out, "a", "5"));
        // The lease holder read 5 and adds 1. No other cycle has removed the 5 meanwhile.
        send(cycle(held).upsert("k", "{\"sum\":6,\"windowEnd\":1000}").ack(held.getFirst()));

        assertThat(refused.get("success").asBoolean()).isFalse();
        assertThat(refused.get("error").asText()).contains("leased");
        assertThat(state(partition)).containsExactly("k={\"sum\":6,\"windowEnd\":1000}");
        assertThat(pushed()).isEmpty();
    }

    @Test
    void aReopenedWindowWithEqualContentIsFlushedAgain() {
        for (int i = 0; i < 2; i++) {
            List<JsonNode> partition = partitionWith(WINDOW);
            server.updateEverywhere("update stream_state set updated_at = updated_at - interval '1 minute'"
                    + " where partition_id = ?::uuid", id(partition));
            stream.ripe(id(partition), 1000);
            assertThat(send(cycle(partition).delete("k").push(out, "a", "5")).get("success").asBoolean()).isTrue();
        }

        assertThat(pushed()).containsExactly("5", "5");
    }

    @Test
    void aFlushWithoutDeletesIsRecognizedByItsBody() {
        List<JsonNode> partition = partitionWith("1");
        CycleBody flush = cycle(partition).upsert("seen", "1").push(out, "a", "1");

        send(flush);
        send(cycle(partition).upsert("seen", "2"));
        JsonNode again = send(flush);

        assertThat(again.get("success").asBoolean()).isTrue();
        assertThat(pushed()).containsExactly("1");
        assertThat(state(partition)).containsExactly("k=1", "seen=2");
    }

    @Test
    void aKeptLeaseStaysLiveAndItsExpiryChargesNoMessage() {
        queen.configure(in, "{\"retryLimit\":0,\"leaseTime\":600}");
        queen.push(in, "a", "1", "2", "3", "4");
        for (int left = 4; left > 1; left--) {
            List<JsonNode> messages = stream.pop(4).messages();
            // A charged message would show its failed delivery, and be delivered alone because there are no retries.
            assertThat(messages).hasSize(left).allMatch(message -> message.path("retryCount").asInt() == 0);

            JsonNode answer = send(cycle(messages).upsert("tokens", "0").ack(messages.getFirst()).keepLease());

            assertThat(answer.at("/ack_result/lease_released").asBoolean()).isFalse();
            assertThat(stream.pop(4).isEmpty()).isTrue();
            String lease = messages.getFirst().get("leaseId").asText();
            assertThat(queen.extend(lease, "{\"seconds\":900}").status()).isEqualTo(200);
            server.expireLeases(in);
        }

        assertThat(stream.pop(4).transactionIds()).containsExactly("4");
        assertThat(server.deadLetters(in)).isEmpty();
    }

    @Test
    void aKeptLeaseIsValidForTheNextCycle() {
        queen.push(in, "a", "1", "2");
        List<JsonNode> messages = stream.pop(2).messages();

        send(cycle(messages).ack(messages.getFirst()).keepLease());
        JsonNode repeatedInOtherWords = send(cycle(messages).upsert("k", "1").ack(messages.getFirst()).keepLease());
        JsonNode second = send(cycle(messages).upsert("k", "2").ack(messages.get(1)).keepLease());

        assertThat(repeatedInOtherWords.get("success").asBoolean()).isTrue();
        assertThat(repeatedInOtherWords.get("state_ops_applied").asInt()).isZero();
        assertThat(second.get("success").asBoolean()).isTrue();
        assertThat(state(messages)).containsExactly("k=2");
        assertThat(stream.pop(2).isEmpty()).isTrue();
    }

    @Test
    void aMessageThatTheRunnerRejectsIsDeadLetteredImmediately() {
        queen.push(in, "a", "1", "2", "3");
        List<JsonNode> messages = stream.pop(3).messages();

        JsonNode answer = send(cycle(messages).push(out, "a", "1").ack(messages.get(1), "failed"));

        assertThat(answer.at("/ack_result/dlq").asBoolean()).isTrue();
        assertThat(server.deadLetters(in)).containsExactly("2 1");
        assertThat(stream.pop(3).transactionIds()).containsExactly("3");
        assertThat(send(cycle(messages).ack(messages.get(2), "retry")).get("success").asBoolean()).isFalse();
    }

    @Test
    void aFailedCycleDoesNotAffectOtherCycles() {
        List<CompletableFuture<Answer>> answers = new ArrayList<>();
        IntStream.range(0, 20).forEach(i -> queen.push(in, "partition-" + i, "1"));
        String full = server.newQueue();
        queen.configure(full, "{\"maxSize\":1}");
        queen.push(full, "a", "the only one");
        for (int i = 0; i < 20; i++) {
            List<JsonNode> messages = stream.popPartition("partition-" + i, 1).messages();
            CycleBody cycle = cycle(messages).upsert("k", "" + i).push(i % 7 == 3 ? full : out, "a" + i, "" + i)
                    .ack(messages.getFirst());
            answers.add(queen.postLater("/streams/v1/cycle", cycle.toString()));
        }

        for (int i = 0; i < 20; i++) {
            JsonNode answer = answers.get(i).join().json();
            assertThat(answer.get("success").asBoolean()).as(answer.toString()).isEqualTo(i % 7 != 3);
        }
        assertThat(pushed()).hasSize(17);
        assertThat(
                server.select("select partition_id from queen.stream_partition where cycles = 1 and query_id = ?::uuid",
                        stream.queryId()))
                .hasSize(17);
    }

    @Test
    void countsOfRowsAndBytesFollowTheState() {
        List<JsonNode> partition = partitionWith("\"1234\"");
        assertThat(sizes(partition)).isEqualTo("1 7");

        queen.push(in, "a", "more");
        List<JsonNode> more = stream.pop(1).messages();
        send(cycle(more).upsert("k", "\"12\"").upsert("l", "1").delete("l").upsert("m", "true").delete("missing")
                .ack(more.getFirst()));

        assertThat(sizes(partition)).isEqualTo("2 10");
        assertThat(server.select("select count(*) || ' ' || sum(octet_length(key) + octet_length(value))"
                + " from queen.stream_state where partition_id = ?::uuid", id(partition))).containsExactly("2 10");
    }

    @Test
    void tooLargeValuesAndKeysAreRejectedWithTheReason() {
        queen.push(in, "a", "1");
        List<JsonNode> messages = stream.pop(1).messages();

        JsonNode value = send(cycle(messages).upsert("k", "\"" + "x".repeat(1 << 20) + "\"").ack(messages.getFirst()));
        JsonNode key = send(cycle(messages).upsert("k".repeat(2_001), "1").ack(messages.getFirst()));
        JsonNode nul = send(cycle(messages).upsert("\0", "1").ack(messages.getFirst()));

        assertThat(value.get("error").asText()).contains("state_ops[0].value", "1048576");
        assertThat(key.get("error").asText()).contains("state_ops[0].key", "2000");
        assertThat(nul.get("error").asText()).contains("state_ops[0].key");
        assertThat(state(messages)).isEmpty();
    }

    private List<JsonNode> partitionWith(String value) {
        queen.push(in, "a", UUID.randomUUID().toString());
        List<JsonNode> messages = stream.pop(1).messages();
        send(cycle(messages).upsert("k", value).ack(messages.getFirst()));
        return messages;
    }

    private CycleBody cycle(List<JsonNode> messages) {
        return stream.cycle(id(messages));
    }

    private JsonNode send(CycleBody cycle) {
        Answer answer = stream.send(cycle);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.json();
    }

    private static String id(List<JsonNode> messages) {
        return messages.getFirst().get("partitionId").asText();
    }

    private List<String> state(List<JsonNode> partition) {
        List<String> rows = new ArrayList<>();
        stream.state(id(partition)).json().get("rows")
                .forEach(row -> rows.add(row.get("key").asText() + "=" + row.get("value")));
        return rows;
    }

    private String sizes(List<JsonNode> partition) {
        return server.select(
                "select state_rows || ' ' || state_bytes from queen.stream_partition where partition_id = ?::uuid",
                id(partition)).getFirst();
    }

    private List<String> pushed() {
        return server.select("select data from queen.message where queue = ? order by partition, \"offset\"", out);
    }
}
