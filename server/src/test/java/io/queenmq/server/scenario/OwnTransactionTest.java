package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.testkit.Await;
import java.sql.Connection;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Servers and pushes inside transactions of applications. */
class OwnTransactionTest {
    @RegisterExtension
    // Long enough that the transaction commits before a push fails, even on a slow machine.
    static final QueenServer server = QueenServer.with(Map.of("DB_UNAVAILABLE_AFTER_MS", "60000"));

    private final QueenClient queen = server.client();
    private final String queue = server.newQueue();

    @Test
    void aWaitingPopIsWokenByTheCommit() throws Exception {
        queen.configure(queue, "{}");
        CompletableFuture<Answer> waiting = queen.popLater(queue, "wait=true", "timeout=20000", "consumerGroup=g");

        server.select("select queen.push(?, 'a', '{\"n\":1}', 't1')", queue);

        assertThat(waiting.get(Await.PATIENCE.toMillis(), TimeUnit.MILLISECONDS).message().get("data").toString())
                .isEqualTo("{\"n\":1}");
    }

    @Test
    void aLongTransactionDelaysOnlyItsPartitions() throws Exception {
        queen.configure(queue, "{}");
        queen.push(queue, "old", "0");
        try (Connection mine = server.database().connect(); Statement statement = mine.createStatement()) {
            mine.setAutoCommit(false);
            statement.execute("select queen.push('" + queue + "', 'old', '1', 'mine')");
            statement.execute("select queen.push('" + queue + "', 'new', '1', 'mine')");
            CompletableFuture<Answer> toOld = queen.pushLater(queue, "old", "later");
            CompletableFuture<Answer> toNew = queen.pushLater(queue, "new", "later");

            for (int i = 0; i < 20; i++) {
                assertThat(queen.push(queue, "other-" + i, "x").each("status")).containsExactly("queued");
            }
            assertThat(toOld).isNotDone();
            assertThat(toNew).isNotDone();
            mine.commit();

            assertThat(toOld.get(60, TimeUnit.SECONDS).each("status")).containsExactly("queued");
            assertThat(toNew.get(60, TimeUnit.SECONDS).each("status")).containsExactly("queued");
        }
        assertThat(queen.popPartition(queue, "old", "batch=9").transactionIds()).containsExactly("0", "mine", "later");
        assertThat(queen.popPartition(queue, "new", "batch=9").transactionIds()).containsExactly("mine", "later");
    }

    @Test
    void aTransactionIdOfAnotherProducerIsADuplicate() {
        queen.push(queue, "a", "1");
        assertThat(server.select("select queen.push(?, 'a', '1', '1')", queue)).containsExactly("duplicate");
        server.select("select queen.push(?, 'a', '1', '2')", queue);

        assertThat(queen.push(queue, "a", "2", "3").each("status")).containsExactly("duplicate", "queued");
    }

    @Test
    void anAckInsideATransactionFreesThePartition() {
        queen.push(queue, "a", "1");
        Answer popped = queen.pop(queue, "consumerGroup=g");
        queen.push(queue, "a", "2");
        assertThat(queen.pop(queue, "consumerGroup=g").isEmpty()).isTrue();

        assertThat(server.select("select queen.ack(?::uuid, 'g', ?::uuid, '1')",
                popped.message().get("partitionId").asText(), popped.leaseId())).containsExactly("completed");

        Answer next = queen.pop(queue, "consumerGroup=g", "wait=true", "timeout=20000");
        assertThat(next.transactionIds()).containsExactly("2");
    }
}
