package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.queenmq.server.scenario.StreamClient.CycleBody;
import io.queenmq.server.scenario.StreamRunner.Killed;
import io.queenmq.server.scenario.StreamRunner.Operator;
import io.queenmq.server.scenario.StreamRunner.Partition;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A stream query must emit the same messages with one undisturbed runner and with several runners that crash, repeat requests and
 * lose their leases while connections to PostgreSQL are closed.
 */
class StreamRunnerTest {
    private static final int PARTITIONS = 3;
    private static final int MESSAGES = 20;
    private static final int DANGER_PERCENT = 8;
    private static final long WINDOW = 10;
    private static final long END = 1_000_000;

    @RegisterExtension
    static final QueenServer server = QueenServer.withDefaults();

    private static QueenClient there;

    private final QueenClient queen = server.client();

    @BeforeAll
    static void startAnother() {
        there = server.startAnother();
    }

    @Test
    void mapEmitsEachMessageOnceAndInOrder() {
        compare(out -> (runner, messages, cycle) -> {
            for (JsonNode message : messages) {
                cycle.push(out, runner.partition(message).name(), "{\"doubled\":" + 2 * value(message) + "}");
            }
            cycle.ack(messages.getLast());
        }, PARTITIONS * (MESSAGES + 1));
    }

    @Test
    void tumblingSumEmitsEachCompleteWindowOnce() {
        compare(TumblingSum::new, PARTITIONS * ((MESSAGES - 1) * 3 / (int) WINDOW + 1));
    }

    @Test
    void gatePassesEachMessageOnceAndInOrder() {
        compare(Gate::new, PARTITIONS * (MESSAGES + 1));
    }

    /** Sums values by windows of the time in the messages. A flush closes a window after a later message was processed. */
    private record TumblingSum(String out) implements Operator {
        private static final String SEEN = "seen";

        @Override
        public void work(StreamRunner runner, List<JsonNode> messages, CycleBody cycle) {
            Partition partition = runner.partition(messages.getFirst());
            Map<Long, Long> sums = new LinkedHashMap<>();
            for (JsonNode message : messages) {
                sums.merge(time(message) / WINDOW * WINDOW, value(message), Long::sum);
            }
            sums.forEach((start, sum) -> {
                JsonNode before = runner.read(partition, "w" + start);
                cycle.upsert("w" + start,
                        JsonNodeFactory.instance.objectNode().put("start", start)
                                .put("sum", sum + (before == null ? 0 : before.get("sum").asLong()))
                                .put("windowEnd", start + WINDOW));
            });
            cycle.upsert(SEEN, "" + time(messages.getLast())).ack(messages.getLast());
        }

        @Override
        public void flush(StreamRunner runner, Partition partition) {
            JsonNode seen = runner.read(partition, SEEN);
            if (seen == null) {
                return;
            }
            List<JsonNode> ripe = new ArrayList<>();
            runner.ripe(partition, seen.asLong()).forEach(row -> ripe.add(row.get("value")));
            ripe.sort((one, other) -> Long.compare(one.get("start").asLong(), other.get("start").asLong()));
            if (!ripe.isEmpty()) {
                CycleBody cycle = runner.cycle(partition);
                for (JsonNode window : ripe) {
                    cycle.delete("w" + window.get("start").asText()).push(out, partition.name(),
                            "{\"start\":" + window.get("start") + ",\"sum\":" + window.get("sum") + "}");
                }
                runner.send(cycle);
            }
        }
    }

    /** Passes two messages, then keeps the partition until its lease expires. */
    private record Gate(String out) implements Operator {
        @Override
        public void work(StreamRunner runner, List<JsonNode> messages, CycleBody cycle) {
            Partition partition = runner.partition(messages.getFirst());
            JsonNode passed = runner.read(partition, "passed");
            int open = Math.min(2, messages.size());
            for (JsonNode message : messages.subList(0, open)) {
                cycle.push(out, partition.name(), "{\"passed\":" + value(message) + "}");
            }
            cycle.upsert("passed", "" + (open + (passed == null ? 0 : passed.asInt()))).ack(messages.get(open - 1))
                    .keepLease();
        }
    }

    /** Creates the operator of a query that emits into this queue. */
    private interface Query {
        Operator emittingTo(String out);
    }

    private void compare(Query query, int expected) {
        Map<String, List<String>> inPeace = run(query, expected, 1, 0);
        Map<String, List<String>> inTrouble = run(query, expected, 2, DANGER_PERCENT);

        assertThat(inPeace.values().stream().mapToInt(List::size).sum()).isEqualTo(expected);
        assertThat(inTrouble).isEqualTo(inPeace);
    }

    /** Returns the emitted messages by partition. */
    private Map<String, List<String>> run(Query query, int expected, int runners, int dangerPercent) {
        String in = server.newQueue();
        String out = server.newQueue();
        queen.configure(in, "{\"retryLimit\":1000,\"retryDelay\":0}");
        IntStream.range(0, PARTITIONS).forEach(partition -> fill(in, "partition-" + partition));
        StreamClient stream = StreamClient.register(queen, in);
        Map<String, Partition> partitions = new ConcurrentHashMap<>();
        Random seeds = new Random(7);
        List<CompletableFuture<Void>> all = new ArrayList<>();
        long untilNs = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        for (int i = 0; i < runners; i++) {
            StreamClient here = stream.at(i % 2 == 0 ? queen : there);
            StreamRunner runner = new StreamRunner(here, stream.at(i % 2 == 0 ? there : queen), query.emittingTo(out),
                    partitions, new Random(seeds.nextLong()), dangerPercent);
            all.add(CompletableFuture.runAsync(() -> work(runner, in, out, expected, untilNs, dangerPercent > 0)));
        }
        all.forEach(CompletableFuture::join);
        return emitted(out);
    }

    private void work(StreamRunner runner, String in, String out, int expected, long untilNs, boolean isDisturbed) {
        for (int turn = 1; System.nanoTime() < untilNs; turn++) {
            boolean isIdle;
            try {
                isIdle = !runner.turn();
            } catch (Killed _) {
                // Wait until another runner continues. Other runners lose their leases, too.
                isIdle = true;
            }
            if (isIdle) {
                if (count(out) >= expected) {
                    return;
                }
                server.expireLeases(in);
            }
            if (isDisturbed && turn % 20 == 0) {
                server.select(
                        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()"
                                + " and query like '%.cycle(%' and pid <> pg_backend_pid() limit 2");
            }
        }
    }

    private void fill(String queue, String partition) {
        String items = IntStream.rangeClosed(0, MESSAGES)
                .mapToObj(i -> "{\"queue\":\"%s\",\"partition\":\"%s\",\"payload\":{\"value\":%d,\"time\":%d}}"
                        .formatted(queue, partition, i, i < MESSAGES ? i * 3 : END))
                .collect(Collectors.joining(","));
        queen.post("/api/v1/push", "{\"items\":[" + items + "]}");
    }

    private static long count(String queue) {
        return Long.parseLong(server.select("select count(*) from queen.message where queue = ?", queue).getFirst());
    }

    private static Map<String, List<String>> emitted(String queue) {
        Map<String, List<String>> byPartition = new LinkedHashMap<>();
        for (int i = 0; i < PARTITIONS; i++) {
            byPartition.put("partition-" + i,
                    server.select(
                            "select data from queen.message where queue = ? and partition = ? order by \"offset\"",
                            queue, "partition-" + i));
        }
        return byPartition;
    }

    private static long value(JsonNode message) {
        return message.at("/data/value").asLong();
    }

    private static long time(JsonNode message) {
        return message.at("/data/time").asLong();
    }
}
