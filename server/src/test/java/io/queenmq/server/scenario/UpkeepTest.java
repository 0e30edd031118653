package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.testkit.Await;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Retention, eviction and deletion of idle partitions by running servers. */
class UpkeepTest {
    private static final int MONTH = 31 * 86_400;

    @RegisterExtension
    static final QueenServer server = QueenServer.with(Map.of("RETENTION_INTERVAL", "50", "EVICTION_INTERVAL", "50"));

    private static QueenClient there;

    private final QueenClient queen = server.client();
    private final String queue = server.newQueue();

    @BeforeAll
    static void startOther() {
        there = server.startAnother();
    }

    @Test
    void expiredMessagesAreRemovedAndOthersDelivered() {
        queen.configure(queue, "{\"retentionSeconds\":1000}");
        queen.push(queue, "a", "old");
        age(queue, 1001);
        queen.push(queue, "a", "young");

        Await.until(() -> stored().equals(List.of("young")));

        assertThat(queen.pop(queue, "batch=9", "wait=true", "timeout=60000").transactionIds()).containsExactly("young");
    }

    /** Retention must not remove messages of a group without a cursor in the partition, or of a live lease. */
    @Test
    void messagesAreKeptForGroupsThatHaveNotReadThem() {
        queen.configure(queue, "{\"completedRetentionSeconds\":1000}");
        queen.push(queue, "a", "1", "2");
        queen.push(queue, "b", "3", "4");
        queen.popPartition(queue, "a", "consumerGroup=slow", "autoAck=true");
        for (String partition : List.of("a", "b")) {
            queen.popPartition(queue, partition, "consumerGroup=quick", "autoAck=true", "batch=9");
        }
        age(queue, 1001);
        awaitPass();

        assertThat(queen.popPartition(queue, "b", "consumerGroup=slow", "batch=9", "wait=true", "timeout=60000")
                .transactionIds()).containsExactly("3", "4");
        assertThat(queen.popPartition(queue, "a", "consumerGroup=slow", "autoAck=true", "wait=true", "timeout=60000")
                .transactionIds()).containsExactly("2");
        assertThat(stored()).containsExactly("1", "2", "3", "4");
        age(queue, 100_000);
        Await.until(() -> stored().equals(List.of("3", "4")));
    }

    /** Leased messages of any age can be finished. */
    @Test
    void leasedMessagesAreKeptUntilTheyAreFinished() {
        queen.configure(queue, "{\"retentionSeconds\":1000,\"maxWaitTimeSeconds\":1000}");
        queen.push(queue, "a", "1", "2");
        Answer held = queen.pop(queue);
        age(queue, 1001);
        awaitPass();

        assertThat(stored()).containsExactly("1", "2");
        assertThat(queen.ackAll(held, "completed").each("success")).containsExactly("true");
        age(queue, 1001);
        Await.until(() -> stored().isEmpty());
        assertThat(counts()).containsExactly("1 completed, 0 dead, 1 expired");
    }

    /** Dead letters are copies of their messages. */
    @Test
    void deadLettersSurviveRetention() {
        queen.configure(queue, "{\"retentionSeconds\":1000,\"retryLimit\":0}");
        queen.push(queue, "a", "poison");
        queen.ackAll(queen.pop(queue), "failed");
        age(queue, 1001);

        Await.until(() -> stored().isEmpty());

        assertThat(server.deadLetters(queue)).containsExactly("poison 1");
    }

    @Test
    void messagesBeyondTheMaximumWaitAreDeadLettered() {
        queen.configure(queue, "{\"maxWaitTimeSeconds\":1000,\"deadLetterQueue\":true}");
        queen.push(queue, "a", "1", "late");
        queen.pop(queue, "autoAck=true");
        age(queue, 1001);

        Await.until(() -> server.deadLetters(queue).equals(List.of("late 0")));

        assertThat(counts()).containsExactly("1 completed, 1 dead, 0 expired");
        assertThat(queen.pop(queue).isEmpty()).isTrue();
    }

    @Test
    void aNewConfigurationAppliesToStoredMessages() {
        queen.push(queue, "a", "1");
        queen.push(queue, "b", "2");
        server.age(queue, 1001);
        awaitPass();
        assertThat(stored()).containsExactly("1", "2");

        queen.configure(queue, "{\"retentionSeconds\":1000}");

        Await.until(() -> stored().isEmpty());
        assertThat(server.select("select sum(m.retention) from queen.retention_minute m join queen.queue q"
                + " on q.id = m.queue_id where q.name = ?", queue)).containsExactly("2");
    }

    /** Servers must not apply the cached state of a deleted partition to a new partition of the same name. */
    @Test
    void aRecreatedPartitionDeliversNewMessagesAndRecognizesDuplicates() {
        queen.configure(queue, "{\"retentionSeconds\":1000,\"dedupWindowSeconds\":31536000}");
        queen.push(queue, "a", "1", "2", "3");
        assertThat(queen.pop(queue, "batch=9", "autoAck=true").transactionIds()).hasSize(3);
        age(queue, MONTH);
        Await.until(() -> partitions().stream().noneMatch("a"::equals));

        assertThat(there.push(queue, "a", "x", "y", "z").each("status")).containsOnly("queued");

        // This server cached a head of three messages, and the new partition has three messages again.
        assertThat(queen.push(queue, "a", "y", "new").each("status")).containsExactly("duplicate", "queued");
        assertThat(queen.pop(queue, "batch=9", "wait=true", "timeout=60000").transactionIds()).containsExactly("x", "y",
                "z", "new");
    }

    @Test
    void oneServerAtATimeRunsUpkeepAndReportsIt() {
        Await.until(() -> leaders() == 1);

        Await.until(() -> Stream.of(queen, there).anyMatch(each -> {
            String metrics = each.get("/metrics/prometheus").body();
            return metrics.contains("queen_upkeep_pass_seconds_count{kind=\"retention\"}")
                    && metrics.contains("queen_upkeep_last_success_timestamp_seconds{kind=\"eviction\"}")
                    && metrics.contains("queen_upkeep_removed_total{kind=\"retention\"}");
        }));
        assertThat(leaders()).isOne();
    }

    private long leaders() {
        return Stream.of(queen, there).map(each -> each.get("/metrics").json().at("/gauges/queen.upkeep.leader"))
                .filter(gauge -> gauge.asInt() == 1).count();
    }

    /** Waits for a complete pass: pushes a removable message and waits until it is removed. */
    private void awaitPass() {
        String canary = server.newQueue();
        queen.configure(canary, "{\"retentionSeconds\":10}");
        for (int i = 0; i < 2; i++) {
            queen.push(canary, "a", "canary" + i);
            age(canary, 1000);
            Await.until(() -> messages(canary).isEmpty());
        }
    }

    /** Shifts messages and the times that upkeep has recorded into the past, as if upkeep had run meanwhile. */
    private static void age(String queue, int seconds) {
        Await.until(() -> server.select("select p.name from queen.partition p join queen.queue q on q.id = p.queue_id"
                + " where q.name = ? and p.head > p.tail"
                + " and not exists (select from queen.partition_upkeep u where u.partition_id = p.id and u.kind = 'retention')"
                + " and q.retention_enabled", queue).isEmpty());
        Await.until(() -> server.select("select p.name from queen.partition p join queen.queue q on q.id = p.queue_id"
                + " where q.name = ? and p.head > p.tail"
                + " and not exists (select from queen.partition_upkeep u where u.partition_id = p.id and u.kind = 'eviction')"
                + " and q.max_wait_time_s > 0", queue).isEmpty());
        server.age(queue, seconds);
    }

    private List<String> stored() {
        return messages(queue);
    }

    private static List<String> messages(String queue) {
        return server.select("select transaction_id from queen.message where queue = ? order by partition, \"offset\"",
                queue);
    }

    private List<String> partitions() {
        return server.select(
                "select p.name from queen.partition p join queen.queue q on q.id = p.queue_id" + " where q.name = ?",
                queue);
    }

    private List<String> counts() {
        return server.select("select completed_count || ' completed, ' || dead_count || ' dead, ' || expired_count"
                + " || ' expired' from queen.cursor c join queen.partition p on p.id = c.partition_id"
                + " join queen.queue q on q.id = p.queue_id where q.name = ?", queue);
    }
}
