package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.queenmq.testkit.Await;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Operations on queues with more partitions than one transaction processes. */
class LargeQueueTest {
    private static final int PARTITIONS = 4_500;

    @RegisterExtension
    static final QueenServer server = QueenServer.withDefaults();

    private final QueenClient queen = server.client();
    private final String queue = server.newQueue();
    private final String api = server.select("select queen.routines()").getFirst();

    @BeforeEach
    void fill() {
        queen.push(queue, "z", "m");
        String id = server.select("select id::text from queen.queue where name = ?", queue).getFirst();
        server.updateEverywhere("insert into partition (id, queue_id, name, head, last_push_at)" + " select p.id, '"
                + id + "', p.name, 1, now()" + " from (select " + api + ".partition_id('" + id
                + "', 'p' || i) as id, 'p' || i as name" + " from generate_series(2, " + PARTITIONS + ") i) p"
                + " where " + api + ".shard_of(p.id) = current_schema()");
        server.updateEverywhere("insert into segment (partition_id, base, count, created_at, hashes, body)"
                + " select p.id, 0, 1, now(), s.hashes, s.body from partition p,"
                + " (select * from queen.segment s where s.partition_id = " + api + ".partition_id('" + id
                + "', 'z')) s where p.queue_id = '" + id + "' and p.name <> 'z'");
        server.updateEverywhere(
                "insert into partition_key (id, queue_id, name) select id, queue_id, name from partition"
                        + " where queue_id = '" + id + "' on conflict do nothing");
    }

    @Test
    void aSeekReturnsWhenAllPartitionsAreMoved() {
        queen.pop(queue, "consumerGroup=g", "subscriptionMode=all", "autoAck=true");

        Answer sought = queen.post("/api/v1/consumer-groups/g/queues/" + queue + "/seek", "{\"toEnd\":true}");

        assertThat(sought.status()).isEqualTo(200);
        assertThat(Answer.fieldsOf(sought.json())).containsExactlyInAnyOrder("success", "consumerGroup", "queueName",
                "seekToEnd", "seekToBeginning", "targetTimestamp", "partitionsUpdated");
        assertThat(sought.json().get("partitionsUpdated").asInt()).isBetween(PARTITIONS - 1, PARTITIONS);
        assertThat(queen.pop(queue, "consumerGroup=g").status()).isEqualTo(204);
        queen.push(queue, "p77", "later");
        assertThat(queen.pop(queue, "consumerGroup=g", "wait=true", "timeout=60000").transactionIds())
                .containsExactly("later");
    }

    @Test
    void aGroupInModeNewGetsMessagesPushedAfterItsFirstPop() {
        assertThat(queen.pop(queue, "consumerGroup=n", "subscriptionMode=new").status()).isEqualTo(204);

        List<String> partitions = List.of("z", "p2", "p2250", "p" + PARTITIONS, "created later");
        partitions.forEach(partition -> queen.push(queue, partition, "to " + partition));

        for (String partition : partitions) {
            assertThat(queen.popPartition(queue, partition, "consumerGroup=n", "batch=9", "wait=true", "timeout=60000")
                    .transactionIds()).containsExactly("to " + partition);
        }
        Await.until(() -> running().isEmpty());
        assertThat(server.select("select count(*)::text from queen.cursor where group_name = 'n'"))
                .containsExactly(Integer.toString(PARTITIONS + 1));
    }

    @Test
    void aClearReturnsWhenAllPartitionsAreEmpty() {
        Answer cleared = queen.delete("/api/v1/queues/" + queue + "/clear");

        assertThat(cleared.status()).isEqualTo(200);
        assertThat(cleared.json().get("cleared").asInt()).isEqualTo(PARTITIONS);
        assertThat(queen.pop(queue, "consumerGroup=g").status()).isEqualTo(204);
        queen.push(queue, "p77", "later");
        assertThat(queen.pop(queue, "consumerGroup=g", "wait=true", "timeout=60000").transactionIds())
                .containsExactly("later");
    }

    @Test
    void aDeletedQueueMayBeCreatedAgainImmediately() {
        String id = server.select("select id::text from queen.queue where name = ?", queue).getFirst();

        Answer deleted = queen.delete("/api/v1/resources/queues/" + queue);

        assertThat(deleted.status()).isEqualTo(200);
        assertThat(Answer.fieldsOf(deleted.json())).containsExactlyInAnyOrder("deleted", "queue", "existed");
        assertThat(server.select("select name from queen.partition where queue_id = ?::uuid", id)).isEmpty();
        queen.push(queue, "p77", "new");
        assertThat(queen.pop(queue, "consumerGroup=g", "batch=9").transactionIds()).containsExactly("new");
    }

    @Test
    void upkeepFinishesOperationsOfACrashedServer() {
        String begun = server.select("select " + api + ".seek_queue(null, 'g', ?, true, false, null, false, 10)", queue)
                .getFirst();
        assertThat(begun).contains("inProgress");

        Await.until(() -> running().isEmpty());

        JsonNode last = queen.get("/api/v1/operations?limit=1").json().get("operations").get(0);
        assertThat(last.get("status").asText()).isEqualTo("finished");
        assertThat(last.get("queue").asText()).isEqualTo(queue);
        assertThat(last.get("partitionsDone").asInt()).isEqualTo(PARTITIONS);
        assertThat(server.select(
                "select count(*)::text from queen.cursor c join queen.partition p on p.id = c.partition_id"
                        + " join queen.queue q on q.id = p.queue_id where q.name = ? and c.group_name = 'g' and c.committed = 1",
                queue)).containsExactly(Integer.toString(PARTITIONS));
    }

    @Test
    void upkeepFinishesADeletionOfACrashedServerAndNothingIsPushedToItsPartitions() {
        String id = server.select("select id::text from queen.queue where name = ?", queue).getFirst();
        assertThat(server.select("select " + api + ".delete_queue(null, ?, 10)::text", queue)).containsExactly("true");

        // The catalog of this server contains the queue for up to a second, and the partition still exists.
        assertThat(server.select("select name from queen.partition where queue_id = ?::uuid and name = 'z'", id))
                .hasSize(1);
        assertThat(queen.push(queue, "z", "new").status()).isEqualTo(201);
        queen.transaction("{\"operations\":[{\"type\":\"push\",\"items\":[{\"queue\":\"" + queue
                + "\",\"partition\":\"z\",\"transactionId\":\"too\",\"payload\":1}]}]}");
        Await.until(() -> running().isEmpty());

        assertThat(server.select("select name from queen.partition where queue_id = ?::uuid", id)).isEmpty();
        assertThat(queen.pop(queue, "consumerGroup=g", "batch=9", "wait=true", "timeout=60000").transactionIds())
                .containsExactly("new", "too");
    }

    private List<String> running() {
        return server.select("select kind from queen.operation where status = 'running'");
    }
}
