package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.queenmq.testkit.Await;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Every number on every server includes all operations that were completed more than a second ago, although the periodic search
 * for touched partitions runs only once an hour.
 */
class FreshNumbersTest {
    private static final String SEARCH_NEVER = "3600000";

    @RegisterExtension
    static final QueenServer server = QueenServer.with(Map.of("STATS_INTERVAL_MS", SEARCH_NEVER));

    private static QueenClient there;

    private final QueenClient here = server.client();
    private final String queue = server.newQueue();

    @BeforeAll
    static void startOther() {
        there = server.startAnother();
    }

    @Test
    void pushesLeasesAndAcksAreInEveryNumberOfBothServers() throws InterruptedException {
        here.push(queue, "a", "1", "2", "3");
        there.push(queue, "b", "4");
        expect("2 partitions, 4 total, 4 pending, 0 processing");

        Answer held = here.popPartition(queue, "a", "consumerGroup=billing", "batch=2");
        expect("2 partitions, 4 total, 2 pending, 2 processing");
        assertThat(group(there, "billing").get("totalLag").asInt()).isEqualTo(4);

        there.ackAll(held, "completed");
        expect("2 partitions, 4 total, 2 pending, 0 processing");
        assertThat(group(here, "billing").get("totalLag").asInt()).isEqualTo(2);
        assertThat(group(here, "billing").get("partitionsWithLag").asInt()).isEqualTo(2);
        assertThat(here.get("/api/v1/resources/overview").json().get("statsAge").asDouble()).isLessThan(60);
    }

    @Test
    void theBacklogOfAGroupWithoutConsumersIncludesNewPartitions() throws InterruptedException {
        here.configure(queue, "{}");
        assertThat(here.pop(queue, "consumerGroup=gone").isEmpty()).isTrue();
        there.push(queue, "late", "1", "2");
        TimeUnit.SECONDS.sleep(1);

        for (QueenClient queen : new QueenClient[]{here, there}) {
            Await.until(() -> group(queen, "gone").get("totalLag").asInt() == 2);
            assertThat(group(queen, "gone").get("partitionsWithLag").asInt()).isEqualTo(1);
        }
        server.age(queue, 7_200);
        here.post("/api/v1/stats/refresh", "{}");
        assertThat(group(there, "gone").get("maxTimeLag").asInt()).isBetween(7_200, 7_400);
        JsonNode lagging = there.get("/api/v1/consumer-groups/lagging?minLagSeconds=3600").json();
        assertThat(lagging).anyMatch(partition -> partition.get("queue_name").asText().equals(queue)
                && partition.get("consumer_group").asText().equals("gone")
                && partition.get("partition_name").asText().equals("late"));
    }

    @Test
    void aDeletedGroupAndItsBacklogAreRemovedImmediately() throws InterruptedException {
        here.push(queue, "a", "1");
        here.popPartition(queue, "a", "consumerGroup=slow");
        here.ackAll(here.popPartition(queue, "a", "consumerGroup=fast"), "completed");
        expect("1 partitions, 1 total, 0 pending, 1 processing");

        there.delete("/api/v1/consumer-groups/slow/queues/" + queue);

        assertThat(group(here, "slow")).isNull();
        assertThat(group(there, "slow")).isNull();
        expect("1 partitions, 1 total, 0 pending, 0 processing");
        assertThat(group(here, "fast").get("totalLag").asInt()).isZero();
    }

    @Test
    void aDeletedQueueIsRemovedImmediately() throws InterruptedException {
        here.push(queue, "a", "1");
        here.popPartition(queue, "a", "consumerGroup=readers");
        expect("1 partitions, 1 total, 0 pending, 1 processing");

        here.delete("/api/v1/resources/queues/" + queue);

        for (QueenClient queen : new QueenClient[]{here, there}) {
            assertThat(queue(queen)).isNull();
            assertThat(server.select("select group_name from queen.group_depth g where not exists ("
                    + "select from queen.queue q where q.id = g.queue_id)")).isEmpty();
        }
    }

    @Test
    void aMessageThatIsNotDueHasNoAge() throws InterruptedException {
        here.configure(queue, "{\"delayedProcessing\":3600}");
        here.push(queue, "a", "1");
        here.pop(queue, "consumerGroup=patient");
        server.age(queue, 1_800);
        here.post("/api/v1/stats/refresh", "{}");

        JsonNode patient = group(there, "patient");
        assertThat(patient.get("totalLag").asInt()).isEqualTo(1);
        assertThat(patient.get("maxTimeLag").asInt()).isZero();

        server.age(queue, 1_860);
        here.post("/api/v1/stats/refresh", "{}");
        assertThat(group(there, "patient").get("maxTimeLag").asInt()).isBetween(60, 180);
    }

    @Test
    void pushesInTransactionsOfApplicationsAreCounted() throws InterruptedException {
        here.configure(queue, "{}");
        server.select("select queen.push(?, 'a', '{}')", queue);

        expect("2 partitions, 1 total, 1 pending, 0 processing");
    }

    @Test
    void aServerReportsTouchedPartitionsWhenItStops() throws InterruptedException {
        QueenClient third = server.startAnother();
        third.push(queue, "a", "1");
        server.stopLast();

        // Sums that are less than half a second old are not counted again.
        expect("1 partitions, 1 total, 1 pending, 0 processing");
    }

    /** Waits for the numbers: a second after the last response, longer on a busy machine. */
    private void expect(String numbers) throws InterruptedException {
        TimeUnit.SECONDS.sleep(1);
        for (QueenClient queen : new QueenClient[]{there, here}) {
            Await.until(() -> numbers.equals(numbers(queen)) && numbers.equals(status(queen)));
        }
    }

    private String numbers(QueenClient queen) {
        JsonNode shown = queue(queen);
        if (shown == null) {
            return null;
        }
        JsonNode messages = shown.get("messages");
        return "%d partitions, %d total, %d pending, %d processing".formatted(shown.get("partitions").asInt(),
                messages.get("total").asInt(), messages.get("pending").asInt(), messages.get("processing").asInt());
    }

    private String status(QueenClient queen) {
        JsonNode listed = queen.get("/api/v1/status/queues?limit=1000").json().get("queues");
        for (JsonNode each : listed) {
            if (each.get("name").asText().equals(queue)) {
                JsonNode messages = each.get("messages");
                int processing = messages.get("processing").asInt();
                return "%d partitions, %d total, %d pending, %d processing".formatted(each.get("partitions").asInt(),
                        messages.get("total").asInt(), messages.get("pending").asInt() - processing, processing);
            }
        }
        return null;
    }

    private JsonNode queue(QueenClient queen) {
        for (JsonNode each : queen.get("/api/v1/resources/queues").json().get("queues")) {
            if (each.get("name").asText().equals(queue)) {
                return each;
            }
        }
        return null;
    }

    private JsonNode group(QueenClient queen, String name) {
        for (JsonNode each : queen.get("/api/v1/consumer-groups").json()) {
            if (each.get("name").asText().equals(name) && each.get("queueName").asText().equals(queue)) {
                return each;
            }
        }
        return null;
    }
}
