package io.queenmq.server.http.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.engine.command.AckItem;
import io.queenmq.engine.command.CycleCommand;
import io.queenmq.engine.command.CycleOutcome;
import io.queenmq.engine.command.PopCommand;
import io.queenmq.engine.command.PushItem;
import io.queenmq.engine.command.PushOutcome;
import io.queenmq.engine.command.ReadStateCommand;
import io.queenmq.engine.command.ReadStateOutcome;
import io.queenmq.engine.command.RegisterQueryCommand;
import io.queenmq.engine.command.RegisterQueryOutcome;
import io.queenmq.engine.command.StateOp;
import io.queenmq.server.http.FakeEngine;
import io.queenmq.server.http.TestApi;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StreamRoutesTest {
    private static final String QUERY = "55555555-5555-4555-8555-555555555555";
    private static final String PARTITION = "11111111-1111-4111-8111-111111111111";
    private static final String LEASE = "44444444-4444-7444-8444-444444444444";
    private static final String IDS = "\"query_id\":\"" + QUERY + "\",\"partition_id\":\"" + PARTITION + "\"";

    private TestApi api;

    @BeforeEach
    void open() throws Exception {
        api = new TestApi();
        api.engine.cycleOutcome = new CycleOutcome.Done("in", List.of(), false, true);
    }

    @AfterEach
    void close() throws Exception {
        api.close();
    }

    @Test
    void aCycleIsReadAsARunnerSendsIt() throws Exception {
        api.engine.cycleOutcome = new CycleOutcome.Done("in", List.of(new PushOutcome.Queued(FakeEngine.PARTITION, 7)),
                false, true);

        var answer = api.post(CycleRoute.PATH, "{" + IDS + ",\"consumer_group\":\"streams." + QUERY + """
                ","state_ops":[{"type":"upsert","key":"a","value":{"sum": 1.50,"windowEnd":1000,"x":{"windowEnd":7}}},
                {"type":"upsert","key":"b","value":[1, 2]},{"type":"upsert","key":"b"},{"type":"delete","key":"c"}],
                "push_items":[{"queue":"out","partition":null,"transactionId":null,"traceId":null,"payload":{"n": 1}}],
                "ack":{"transactionId":"t","leaseId":"%s","status":"completed","count":200},"release_lease":true}
                """.formatted(LEASE));

        CycleCommand command = api.engine.next(CycleCommand.class);
        assertThat(command.queryId()).hasToString(QUERY);
        assertThat(command.partitionId()).hasToString(PARTITION);
        assertThat(command.group()).isEqualTo("streams." + QUERY);
        assertThat(command.ops()).extracting(StateOp::key).containsExactly("a", "b", "c");
        assertThat(command.ops()).extracting(StateOp::windowEnd).containsExactly(1000.0, null, null);
        assertThat(command.ops()).extracting(op -> text(op.value()))
                .containsExactly("{\"sum\": 1.50,\"windowEnd\":1000,\"x\":{\"windowEnd\":7}}", "null", null);
        assertThat(command.pushes()).extracting(PushItem::queue).containsExactly("out");
        assertThat(command.pushes()).extracting(PushItem::partition).containsExactly("Default");
        assertThat(command.ack().leaseId()).hasToString(LEASE);
        assertThat(command.ack().status()).isEqualTo(AckItem.Status.COMPLETED);
        assertThat(command.isLeaseKept()).isFalse();
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body())
                .startsWith("{\"success\":true,\"query_id\":\"" + QUERY + "\",\"partition_id\":\"" + PARTITION
                        + "\",\"queueName\":\"in\",\"state_ops_applied\":4,\"push_results\":[{\"index\":0,")
                .endsWith("\"ack_result\":{\"success\":true,\"count\":200,\"lease_released\":true,\"dlq\":false}}");
    }

    @Test
    void absentFieldsHaveTheDefaultsOfTheContract() throws Exception {
        api.post(CycleRoute.PATH, "{" + IDS + ",\"consumer_group\":null,\"state_ops\":null,\"push_items\":null,"
                + "\"ack\":null,\"release_lease\":null,\"more\":1}");

        CycleCommand command = api.engine.next(CycleCommand.class);
        assertThat(command.group()).isEqualTo(PopCommand.QUEUE_MODE);
        assertThat(command.ops()).isEmpty();
        assertThat(command.pushes()).isEmpty();
        assertThat(command.ack()).isNull();
        assertThat(command.isLeaseKept()).isFalse();
    }

    @Test
    void theSameBytesHaveTheSameTokenAndOthersAnother() throws Exception {
        UUID first = tokenOf("{" + IDS + "}");

        assertThat(tokenOf("{" + IDS + "}")).isEqualTo(first);
        assertThat(tokenOf("{" + IDS + " }")).isNotEqualTo(first);
    }

    @Test
    void aRepeatedCycleIsReportedAsSuccess() throws Exception {
        api.engine.cycleOutcome = new CycleOutcome.Done("in", List.of(new PushOutcome.Duplicate(null, null)), true,
                true);

        var answer = api.post(CycleRoute.PATH, "{" + IDS
                + ",\"state_ops\":[{\"type\":\"delete\",\"key\":\"a\"}],\"push_items\":[{\"queue\":\"out\",\"payload\":1}]}");

        assertThat(answer.body()).contains("\"success\":true", "\"state_ops_applied\":0", "\"status\":\"duplicate\"",
                "\"ack_result\":null").doesNotContain("message_id");
    }

    @Test
    void aFailureIsAnAnswerWith200AndAnUnknownQuery404() throws Exception {
        api.engine.cycleOutcome = new CycleOutcome.Refused("in", "too late");
        var refused = api.post(CycleRoute.PATH, "{" + IDS + "}");
        api.engine.cycleOutcome = new CycleOutcome.UnknownQuery();
        var unknown = api.post(CycleRoute.PATH, "{" + IDS + "}");

        assertThat(refused.statusCode()).isEqualTo(200);
        assertThat(refused.body())
                .isEqualTo("{\"success\":false,\"query_id\":\"" + QUERY + "\",\"partition_id\":\"" + PARTITION
                        + "\",\"queueName\":\"in\",\"error\":\"too late\",\"state_ops_applied\":0,\"push_results\":[],"
                        + "\"ack_result\":null}");
        assertThat(unknown.statusCode()).isEqualTo(404);
        assertThat(unknown.body()).contains("\"success\":false", "\"error\":");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[]", "{}", "{\"query_id\":\"" + QUERY + "\"}",
        "{\"partition_id\":\"" + PARTITION + "\"}", "{\"query_id\":\"\",\"partition_id\":\"" + PARTITION + "\"}",
        "{\"query_id\":\"x\",\"partition_id\":\"y\"}", "{" + IDS + ",\"state_ops\":{}}",
        "{" + IDS + ",\"state_ops\":[1]}", "{" + IDS + ",\"state_ops\":[{\"type\":\"put\",\"key\":\"k\"}]}",
        "{" + IDS + ",\"state_ops\":[{\"type\":\"delete\"}]}", "{" + IDS + ",\"push_items\":[{}]}",
        "{" + IDS + ",\"ack\":{}}", "{" + IDS + ",\"ack\":1}", "{" + IDS + ",\"release_lease\":1}"})
    void aCycleThatCannotBeReadIsRefused(String body) throws Exception {
        var answer = api.post(CycleRoute.PATH, body);

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("\"error\":");
        assertThat(api.engine.wasAsked()).isFalse();
    }

    @Test
    void stateIsReturnedAsItWasSent() throws Exception {
        api.engine.stateOutcome = new ReadStateOutcome.Rows(
                List.of(new ReadStateOutcome.Row("a\"", "{\"n\": 1.0}".getBytes(StandardCharsets.UTF_8), 1_000_001)));

        var answer = api.post(StateRoute.PATH,
                "{" + IDS + ",\"keys\":[\"a\",\"b\"],\"key_prefix\":\"%_\",\"ripe_at_or_before\":1700000000000}");

        ReadStateCommand command = api.engine.next(ReadStateCommand.class);
        assertThat(command.keys()).containsExactly("a", "b");
        assertThat(command.prefix()).isEqualTo("%_");
        assertThat(command.ripeUntil()).isEqualTo(1.7e12);
        assertThat(answer.body()).isEqualTo("{\"success\":true,\"rows\":[{\"key\":\"a\\\"\",\"value\":{\"n\": 1.0},"
                + "\"updated_at\":\"1970-01-01T00:00:01.000001Z\"}]}");
    }

    @Test
    void noKeysAreAllKeys() throws Exception {
        api.post(StateRoute.PATH, "{" + IDS + ",\"keys\":[],\"key_prefix\":null,\"ripe_at_or_before\":null}");

        ReadStateCommand command = api.engine.next(ReadStateCommand.class);
        assertThat(command.keys()).isNull();
        assertThat(command.prefix()).isNull();
        assertThat(command.ripeUntil()).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"query_id\":\"x\",\"partition_id\":\"" + PARTITION + "\"}",
        "{" + IDS + ",\"keys\":1}", "{" + IDS + ",\"keys\":[1]}", "{" + IDS + ",\"ripe_at_or_before\":\"now\"}",
        "{" + IDS + ",\"keys\":[\"\\u0000\"]}"})
    void aQuestionThatCannotBeReadIsRefused(String body) throws Exception {
        assertThat(api.post(StateRoute.PATH, body).statusCode()).isEqualTo(400);
        assertThat(api.engine.wasAsked()).isFalse();
    }

    @Test
    void aQueryIsRegistered() throws Exception {
        var answer = api.post(QueryRoute.PATH,
                "{\"name\":\"q\",\"source_queue\":\"in\",\"sink_queue\":\"out\",\"config_hash\":\"h\"}");

        RegisterQueryCommand command = api.engine.next(RegisterQueryCommand.class);
        assertThat(command.sinkQueue()).isEqualTo("out");
        assertThat(command.isReset()).isFalse();
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("{\"success\":true,\"query_id\":\"" + FakeEngine.QUEUE
                + "\",\"name\":\"q\",\"config_hash\":\"h\",\"fresh\":true,\"reset\":false}");
    }

    @Test
    void anotherFingerprintIsAConflict() throws Exception {
        api.engine.registerOutcome = new RegisterQueryOutcome(FakeEngine.QUEUE, false, false, true);

        var answer = api.post(QueryRoute.PATH, "{\"name\":\"q\",\"source_queue\":\"in\",\"config_hash\":\"h\"}");

        assertThat(answer.statusCode()).isEqualTo(409);
        assertThat(answer.body()).startsWith("{\"success\":false,\"error\":\"config_hash mismatch: ")
                .contains("\"query_id\":\"" + FakeEngine.QUEUE + "\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"name\":\"q\",\"source_queue\":\"in\"}", "{\"name\":\"q\",\"config_hash\":\"h\"}",
        "{\"name\":\"\",\"source_queue\":\"in\",\"config_hash\":\"h\"}",
        "{\"name\":\"q\",\"source_queue\":\"a/b\",\"config_hash\":\"h\"}",
        "{\"name\":\"q\",\"source_queue\":\"in\",\"config_hash\":\"h\",\"reset\":\"yes\"}"})
    void aRegistrationThatLacksSomethingIsRefused(String body) throws Exception {
        assertThat(api.post(QueryRoute.PATH, body).statusCode()).isEqualTo(400);
        assertThat(api.engine.wasAsked()).isFalse();
    }

    private UUID tokenOf(String body) throws Exception {
        api.post(CycleRoute.PATH, body);
        return api.engine.next(CycleCommand.class).token();
    }

    private static String text(byte[] value) {
        return value == null ? null : new String(value, StandardCharsets.UTF_8);
    }
}
