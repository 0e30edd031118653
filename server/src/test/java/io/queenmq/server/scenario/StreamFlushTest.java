package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.queenmq.server.scenario.StreamClient.CycleBody;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A flush emits a stored window once, and a single runner is never rejected because of its own earlier reads. */
class StreamFlushTest {
    private static final long GAP_NS = Duration.ofSeconds(2).toNanos();
    private static final long TICK_MS = 250;

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
    void aSessionIsEmittedAfterItsGapAlthoughItsTimerReadItBeforeEachEvent() throws InterruptedException {
        String partition = null;
        long lastEventNs = 0;
        for (int sum = 1; sum <= 3; sum++) {
            partition = event(sum);
            lastEventNs = System.nanoTime();
            for (int tick = 0; tick < 2; tick++) {
                Thread.sleep(TICK_MS);
                assertThat(stream.state(partition).json().get("rows")).hasSize(1);
            }
        }

        while (System.nanoTime() - lastEventNs < GAP_NS) {
            Thread.sleep(TICK_MS);
            assertThat(stream.state(partition).json().at("/rows/0/value/sum").asInt()).isEqualTo(3);
        }

        assertThat(isDone(stream, flush(partition, "3"))).isTrue();
        assertThat(isDone(stream.at(there), flush(partition, "[3]"))).isTrue();
        assertThat(pushed()).containsExactly("3");
    }

    @Test
    void aWindowThatChangedAfterItWasReadIsNotEmittedAsItWasRead() {
        String partition = event(5);
        stream.state(partition);
        event(6);

        assertThat(isDone(stream, flush(partition, "5"))).isFalse();
        stream.state(partition);
        // Two runners may share the host, and the one that read the window before it changed may still send its flush.
        shift(partition, "1 minute");
        assertThat(isDone(stream, flush(partition, "5"))).isFalse();
        shift(partition, "-62 seconds");

        assertThat(isDone(stream, flush(partition, "6"))).isTrue();
        assertThat(pushed()).containsExactly("6");
    }

    @Test
    void onlyAHostThatReadTheWindowAfterItChangedMayFlushIt() {
        StreamClient slow = stream.at(queen.from("10.0.0.1"));
        StreamClient other = stream.at(there.from("10.0.0.2"));
        String partition = event(5);
        slow.state(partition);
        event(6);
        other.state(partition);
        // The read of the slow runner is older than two seconds.
        shift(partition, "-10 seconds");

        assertThat(isDone(slow, flush(partition, "5"))).isFalse();
        assertThat(isDone(stream, flush(partition, "5"))).isFalse();
        assertThat(isDone(other, flush(partition, "6"))).isTrue();
        assertThat(pushed()).containsExactly("6");
    }

    @Test
    void afterHalfAMinuteAnyHostMayFlushAWindowThatWasReadAfterItChanged() {
        String partition = event(5);
        stream.at(queen.from("10.0.0.1")).state(partition);
        event(6);
        stream.at(queen.from("10.0.0.2")).state(partition);
        StreamClient third = stream.at(queen.from("10.0.0.3"));

        assertThat(isDone(third, flush(partition, "6"))).isFalse();
        shift(partition, "-31 seconds");
        assertThat(isDone(third, flush(partition, "6"))).isTrue();
        assertThat(pushed()).containsExactly("6");
    }

    @Test
    void readsWhoseSenderAnOlderReleaseDidNotStoreCountForEveryHost() {
        String partition = event(5);
        stream.at(queen.from("10.0.0.1")).state(partition);
        server.updateEverywhere("update stream_partition set offers_sent_at = null where partition_id = ?::uuid",
                partition);
        event(6);
        StreamClient other = stream.at(queen.from("10.0.0.2"));
        other.state(partition);
        shift(partition, "-10 seconds");

        assertThat(isDone(other, flush(partition, "6"))).isFalse();
    }

    @Test
    void readsBetweenTwoCyclesAreStoredOnceForEachHost() {
        String partition = event(5);
        for (int i = 0; i < 5; i++) {
            stream.state(partition);
            stream.at(queen.from("10.0.0.1")).state(partition);
        }

        assertThat(server
                .select("select cardinality(offers) || ' ' || cardinality(offer_hosts) from queen.stream_partition"
                        + " where partition_id = ?::uuid", partition))
                .containsExactly("2 2");
    }

    /** Adds a message and stores the new sum. Returns the partition. */
    private String event(int sum) {
        queen.push(in, "a", in + sum);
        List<JsonNode> messages = stream.pop(1).messages();
        String partition = messages.getFirst().get("partitionId").asText();
        assertThat(isDone(stream,
                stream.cycle(partition).upsert("session", "{\"sum\":" + sum + "}").ack(messages.getFirst()))).isTrue();
        return partition;
    }

    private CycleBody flush(String partition, String sum) {
        return stream.cycle(partition).delete("session").push(out, "a", sum);
    }

    private static boolean isDone(StreamClient client, CycleBody cycle) {
        return client.send(cycle).json().get("success").asBoolean();
    }

    /** All reads and writes of the partition's state happened that much later. */
    private static void shift(String partition, String interval) {
        server.updateEverywhere(
                "update stream_partition set offers = array(select o + ?::interval from unnest(offers) o),"
                        + " offers_sent_at = offers_sent_at + ?::interval, last_cycle_at = last_cycle_at + ?::interval"
                        + " where partition_id = ?::uuid",
                interval, interval, interval, partition);
        server.updateEverywhere(
                "update stream_state set updated_at = updated_at + ?::interval" + " where partition_id = ?::uuid",
                interval, partition);
    }

    private List<String> pushed() {
        return server.select("select data from queen.message where queue = ? order by \"offset\"", out);
    }
}
