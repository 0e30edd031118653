package io.queenmq.server.http.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.engine.command.AckItem;
import io.queenmq.engine.command.AckItem.Status;
import io.queenmq.engine.command.AckOutcome;
import io.queenmq.engine.command.PopCommand;
import io.queenmq.engine.command.PushItem;
import io.queenmq.engine.command.PushOutcome;
import io.queenmq.engine.command.TransactCommand;
import io.queenmq.engine.command.TransactCommand.Operation;
import io.queenmq.engine.command.TransactOutcome;
import io.queenmq.engine.command.TransactOutcome.Result;
import io.queenmq.server.http.FakeEngine;
import io.queenmq.server.http.TestApi;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TransactionRouteTest {
    private static final String PATH = "/api/v1/transaction";
    private static final String PARTITION = "11111111-1111-4111-8111-111111111111";
    private static final String LEASE = "44444444-4444-7444-8444-444444444444";

    private TestApi api;

    @BeforeEach
    void open() throws Exception {
        api = new TestApi();
        api.engine.transactOutcome = new TransactOutcome.Aborted("not asked");
    }

    @AfterEach
    void close() throws Exception {
        api.close();
    }

    @Test
    void operationsArePassedOnInOrder() throws Exception {
        AckOutcome acked = new AckOutcome("q", "p", null, true, false);
        api.engine.transactOutcome = new TransactOutcome.Committed(
                List.of(new Result.Pushed(new PushOutcome.Queued(FakeEngine.PARTITION, 7)),
                        new Result.Pushed(new PushOutcome.Duplicate(FakeEngine.PARTITION, FakeEngine.QUEUE)),
                        new Result.Acked(acked), new Result.Pushed(new PushOutcome.Queued(FakeEngine.PARTITION, 7))));

        var answer = api.post(PATH, """
                {"requiredLeases":["%s","",null],"operations":[
                {"items":[{"queue":"a","transactionId":"1","payload":[1]},{"queue":"b","transactionId":"2"}],"type":"push"},
                {"transactionId":"3","partitionId":"%s","type":"ack"},
                {"type":"push","queue":"c","data":{"x": 1},"transactionId":"4"}]}""".formatted(LEASE, PARTITION));

        TransactCommand command = api.engine.next(TransactCommand.class);
        assertThat(command.requiredLeases()).containsExactly(UUID.fromString(LEASE));
        assertThat(command.operations()).hasSize(4);
        assertThat(data(command, 0)).isEqualTo("[1]");
        assertThat(data(command, 1)).isEqualTo("{}");
        assertThat(command.operations().get(2)).isEqualTo(new Operation.Ack(
                new AckItem("3", UUID.fromString(PARTITION), PopCommand.QUEUE_MODE, null, Status.COMPLETED, null)));
        assertThat(data(command, 3)).isEqualTo("{\"x\": 1}");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).startsWith("{\"success\":true,\"transactionId\":\"")
                .contains("{\"index\":0,\"type\":\"push\",\"success\":true,\"status\":\"queued\",\"messageId\":\""
                        + push(command, 0).messageId() + "\",\"partitionId\":\"" + PARTITION
                        + "\",\"transactionId\":\"1\",\"queueName\":\"a\"}")
                .contains("{\"index\":1,\"type\":\"push\",\"success\":true,\"status\":\"duplicate\",\"messageId\":\""
                        + FakeEngine.QUEUE + "\"")
                .contains("{\"index\":2,\"type\":\"ack\",\"success\":true,\"transactionId\":\"3\",\"error\":null,"
                        + "\"dlq\":false}");
    }

    @Test
    void anAbortIsReportedInTheBody() throws Exception {
        api.engine.transactOutcome = new TransactOutcome.Aborted("the lease is over");

        var answer = api.post(PATH, "{\"operations\":[{\"type\":\"push\",\"queue\":\"q\"}]}");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).startsWith("{\"success\":false,\"error\":\"the lease is over\",\"transactionId\":\"")
                .endsWith("\"results\":[]}");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
        "{\"type\":\"ack\",\"transactionId\":\"t\",\"partitionId\":\"PARTITION\",\"status\":\"retry\"} | status must be completed, failed or dlq",
        "{\"type\":\"ack\",\"transactionId\":\"t\",\"partitionId\":\"PARTITION\",\"status\":\"odd\"} | status must be completed, failed, retry or dlq",
        "{\"type\":\"ack\",\"transactionId\":\"t\",\"partitionId\":\"x\"} | partitionId must be a UUID",
        "{\"type\":\"ack\",\"transactionId\":\"t\",\"partitionId\":\"PARTITION\",\"leaseId\":\"x\"} | leaseId must be a UUID",
        "{\"type\":\"seek\"} | type must be push or ack", "{} | type must be push or ack"})
    void anImpossibleOperationAbortsTheTransaction(String operation, String problem) throws Exception {
        var answer = api.post(PATH, "{\"operations\":[{\"type\":\"push\",\"queue\":\"q\"},"
                + operation.replace("PARTITION", PARTITION) + "]}");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).contains("\"success\":false", "\"error\":\"operations[1]." + problem + "\"");
        assertThat(api.engine.wasAsked()).isFalse();
    }

    @Test
    void anInvalidRequiredLeaseAbortsTheTransaction() throws Exception {
        var answer = api.post(PATH,
                "{\"operations\":[{\"type\":\"push\",\"queue\":\"q\"}],\"requiredLeases\":[\"mine\"]}");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).contains("\"success\":false", "requiredLeases: 'mine' is not a lease");
        assertThat(api.engine.wasAsked()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{}", "{\"operations\":[]}", "{\"operations\":{}}", "{\"operations\":[1]}",
        "{\"operations\":[{\"type\":\"push\"}]}", "{\"operations\":[{\"type\":\"push\",\"items\":{}}]}",
        "{\"operations\":[{\"type\":\"push\",\"items\":[{\"queue\":5}]}]}",
        "{\"operations\":[{\"type\":\"ack\",\"transactionId\":\"t\"}]}",
        "{\"operations\":[{\"type\":\"push\",\"queue\":\"q\"}],\"requiredLeases\":{}}"})
    void invalidTransactionsAreRejected(String body) throws Exception {
        assertThat(api.post(PATH, body).statusCode()).isEqualTo(400);
        assertThat(api.engine.wasAsked()).isFalse();
    }

    @Test
    void errorsContainTheirPath() throws Exception {
        assertThat(api.post(PATH, "{\"operations\":[{\"type\":\"push\",\"items\":[{\"queue\":\"q\"},{}]}]}").body())
                .isEqualTo("{\"error\":\"operations[0].items[1].queue is missing\"}");
    }

    private static PushItem push(TransactCommand command, int index) {
        return ((Operation.Push) command.operations().get(index)).item();
    }

    private static String data(TransactCommand command, int index) {
        String line = new String(push(command, index).line(), StandardCharsets.UTF_8);
        return line.substring(line.indexOf("\"data\":") + 7, line.length() - 2);
    }
}
