package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.testkit.Await;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Maintenance mode for pushes or pops applies on every server. The servers of this class have no spool. */
class MaintenanceTest {
    private static final String PUSH = "/api/v1/system/maintenance";
    private static final String POP = "/api/v1/system/maintenance/pop";

    @RegisterExtension
    static final QueenServer server = QueenServer.withDefaults();

    private static QueenClient there;

    private final QueenClient queen = server.client();
    private final String queue = server.newQueue();

    @BeforeAll
    static void startOther() {
        there = server.startAnother();
    }

    @AfterEach
    void disableMaintenance() {
        set(PUSH, false);
        set(POP, false);
        Await.until(() -> there.push(queue, "z", "z" + System.nanoTime()).status() == 201);
        Await.until(() -> server.client().push(queue, "z", "z" + System.nanoTime()).status() == 201);
    }

    @Test
    void responsesMatchTheContract() {
        assertThat(queen.get(PUSH).json()).isEqualTo(Answer.parse("""
                {"maintenanceMode":false,"popMaintenanceMode":false,"bufferedMessages":0,"bufferHealthy":true,
                "bufferStats":{"pendingCount":0,"failedCount":0,"dbHealthy":true,"failedFiles":
                {"count":0,"totalBytes":0,"totalMB":0.0,"failoverCount":0,"qos0Count":0}},"spool":{"state":"off",
                "pending":0,"bytes":0,"bytesMax":0,"oldestSeconds":0,"drainedPerSecond":0,"refused":0,"damaged":0,
                "error":null}}"""));
        assertThat(set(PUSH, true).json()).isEqualTo(Answer.parse("""
                {"maintenanceMode":true,"bufferedMessages":0,"bufferHealthy":true,"message":"pushes are refused"}"""));
        assertThat(set(POP, true).json()).isEqualTo(Answer.parse("""
                {"popMaintenanceMode":true,"message":"messages are not delivered"}"""));
        assertThat(queen.get(POP).json().get("popMaintenanceMode").asBoolean()).isTrue();
        assertThat(there.get(PUSH).json().get("maintenanceMode").asBoolean()).isTrue();
        assertThat(there.get(PUSH).json().get("popMaintenanceMode").asBoolean()).isTrue();
        assertThat(queen.post(PUSH, "{}").status()).isEqualTo(400);
        assertThat(queen.post(PUSH, "{\"enabled\":\"true\"}").status()).isEqualTo(400);
        assertThat(queen.post(POP, "{\"enabled\":7}").status()).isEqualTo(400);
    }

    @Test
    void pushesAreRejectedOnEveryServerAndOtherRequestsWork() {
        queen.push(queue, "a", "1", "2");
        Answer popped = queen.pop(queue);
        set(PUSH, true);

        for (QueenClient each : new QueenClient[]{queen, there}) {
            Await.until(() -> each.push(queue, "b", "b" + System.nanoTime()).status() == 503);
            Answer refused = each.push(queue, "a", "3");
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.headers().firstValue("retry-after")).isPresent();
            assertThat(refused.json().get("error").asText()).contains("maintenance");
            assertThat(each.transaction("{\"operations\":[{\"type\":\"push\",\"queue\":\"" + queue + "\"}]}").status())
                    .isEqualTo(503);
        }
        assertThat(queen.extend(popped.leaseId(), "{}").status()).isEqualTo(200);
        assertThat(queen
                .transaction("{\"operations\":["
                        + QueenClient.acknowledgment(popped.message(), "completed").put("type", "ack") + "]}")
                .json().get("success").asBoolean()).isTrue();
        assertThat(queen.popPartition(queue, "a").transactionIds()).containsExactly("2");
    }

    @Test
    void noServerDeliversMessagesAndOtherRequestsWork() {
        queen.push(queue, "a", "1", "2");
        Answer popped = queen.pop(queue);
        CompletableFuture<Answer> waiting = there.popLater(queue, "wait=true", "timeout=60000", "consumerGroup=w");
        waiting.join();
        CompletableFuture<Answer> waitingAfter = there.popPartitionLater(queue, "a", "wait=true", "timeout=60000",
                "consumerGroup=w");
        set(POP, true);

        // Only maintenance can end this wait of a minute for a leased partition.
        assertThat(waitingAfter.join().status()).isEqualTo(204);
        for (QueenClient each : new QueenClient[]{queen, there}) {
            Await.until(() -> each.pop(queue, "consumerGroup=g" + System.nanoTime()).isEmpty());
            Answer answer = each.popPartition(queue, "a", "consumerGroup=h", "wait=true", "timeout=60000");
            assertThat(answer.status()).isEqualTo(204);
            assertThat(answer.body()).isEmpty();
        }
        assertThat(queen.push(queue, "a", "3").status()).isEqualTo(201);
        assertThat(queen.ackAll(popped, "completed").list().getFirst().get("success").asBoolean()).isTrue();

        set(POP, false);
        Await.until(() -> !there.pop(queue, "consumerGroup=x" + System.nanoTime()).isEmpty());
        assertThat(queen.pop(queue, "wait=true", "timeout=60000", "batch=10").transactionIds()).containsExactly("2",
                "3");
    }

    @Test
    void maintenanceIsKeptAcrossARestart() {
        set(PUSH, true);
        server.stop();
        server.start();

        assertThat(server.client().push(queue, "a", "1").status()).isEqualTo(503);
        server.client().post(PUSH, "{\"enabled\":false}");
        Await.until(() -> server.client().push(queue, "a", "1").status() == 201);
    }

    private Answer set(String path, boolean isEnabled) {
        return server.client().post(path, "{\"enabled\":" + isEnabled + "}");
    }
}
