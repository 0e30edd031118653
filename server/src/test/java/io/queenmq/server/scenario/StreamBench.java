package io.queenmq.server.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.queenmq.server.Server;
import io.queenmq.server.config.ConfigReader;
import io.queenmq.server.harness.InstalledDatabase;
import io.queenmq.server.scenario.StreamClient.CycleBody;
import io.queenmq.testkit.TestDatabase;
import io.queenmq.testkit.TestShards;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Measures the messages per second of a tumbling sum (pop, read state, cycle) on one machine. Prints one line per run. The
 * arguments are the numbers of additional rows of state of the query.
 */
final class StreamBench {
    private static final int PARTITIONS = 20;
    private static final int BATCH = 200;
    private static final int MESSAGES_PER_PARTITION = 10_000;
    private static final int RUNNERS = 4;
    private static final long WINDOW = 1_000;

    private final TestDatabase database;
    private final QueenClient queen;

    private StreamBench(TestDatabase database, String url) {
        this.database = database;
        this.queen = new QueenClient(url);
    }

    public static void main(String[] args) throws Exception {
        try (TestDatabase database = InstalledDatabase.create();
                Server server = Server.start(ConfigReader.read(settings(database)))) {
            StreamBench bench = new StreamBench(database, server.url());
            bench.run("warm", 0);
            for (String rows : args) {
                bench.run("run-" + System.nanoTime(), Integer.parseInt(rows));
            }
        }
        System.exit(0);
    }

    private static Map<String, String> settings(TestDatabase database) {
        return new HashMap<>(Map.of("PORT", "0", "HOST", "127.0.0.1", "PG_HOST", database.host(), "PG_PORT",
                Integer.toString(database.port()), "PG_DB", database.name(), "PG_USER", database.user(), "PG_PASSWORD",
                database.password()));
    }

    private void run(String queue, int rows) throws Exception {
        fill(queue);
        StreamClient stream = StreamClient.register(queen, queue);
        if (rows > 0) {
            addState(stream, queue, rows);
        }
        long startNs = System.nanoTime();
        List<CompletableFuture<Integer>> runners = new ArrayList<>();
        try (var threads = Executors.newFixedThreadPool(RUNNERS)) {
            for (int i = 0; i < RUNNERS; i++) {
                runners.add(CompletableFuture.supplyAsync(() -> drain(stream, queue), threads));
            }
            int messages = runners.stream().mapToInt(CompletableFuture::join).sum();
            double seconds = (System.nanoTime() - startNs) / 1e9;
            System.out.printf("rows %d: %d messages in %.2f s, %.0f/s%n", rows, messages, seconds, messages / seconds);
        }
    }

    private void fill(String queue) {
        for (int partition = 0; partition < PARTITIONS; partition++) {
            for (int from = 0; from < MESSAGES_PER_PARTITION; from += 1_000) {
                String name = "partition-" + partition;
                String items = IntStream.range(from, from + 1_000)
                        .mapToObj(i -> "{\"queue\":\"%s\",\"partition\":\"%s\",\"payload\":{\"time\":%d,\"value\":%d}}"
                                .formatted(queue, name, i, i % 100))
                        .collect(Collectors.joining(","));
                queen.post("/api/v1/push", "{\"items\":[" + items + "]}");
            }
        }
    }

    /** Adds windows of other keys, which end in the far future. */
    private void addState(StreamClient stream, String queue, int rows) throws SQLException {
        try (Connection connection = database.connect()) {
            TestShards.everywhere(connection, """
                insert into stream_state (state_id, partition_id, key, value, is_sealed, window_end, updated_at)
                select s.state_id, p.id, 'other-' || n, convert_to('{"sum":' || n || ',"windowEnd":9e15}', 'UTF8'), false, 9e15, now()
                from queen.stream_query s join queen.queue q on q.name = s.source_queue join partition p on p.queue_id = q.id,
                generate_series(1, ?) n where s.id = ?::uuid""", rows / PARTITIONS, stream.queryId());
            TestShards.everywhere(connection, "analyze stream_state");
        }
    }

    private int drain(StreamClient stream, String queue) {
        int done = 0;
        for (int empty = 0; empty < 20;) {
            List<JsonNode> messages = stream.pop(BATCH).messages();
            empty = messages.isEmpty() ? empty + 1 : 0;
            Map<String, List<JsonNode>> byPartition = messages.stream()
                    .collect(Collectors.groupingBy(message -> message.get("partitionId").asText()));
            byPartition.forEach((partition, batch) -> cycle(stream, queue, partition, batch));
            done += messages.size();
        }
        return done;
    }

    /** Updates the sums, emits the windows that ended before the last message, and acknowledges. */
    private static void cycle(StreamClient stream, String queue, String partition, List<JsonNode> batch) {
        TreeMap<Long, Long> sums = new TreeMap<>();
        for (JsonNode message : batch) {
            sums.merge(message.at("/data/time").asLong() / WINDOW * WINDOW, message.at("/data/value").asLong(),
                    Long::sum);
        }
        ObjectNode filters = JsonNodeFactory.instance.objectNode();
        var keys = filters.putArray("keys");
        sums.keySet().forEach(start -> keys.add("w" + start));
        stream.state(partition, filters).json().get("rows")
                .forEach(row -> sums.merge(row.at("/value/start").asLong(), row.at("/value/sum").asLong(), Long::sum));
        CycleBody cycle = stream.cycle(partition).ack(batch.getLast());
        sums.forEach((start, sum) -> {
            if (start < sums.lastKey()) {
                cycle.delete("w" + start).push(queue + "-out", batch.getFirst().get("partition").asText(),
                        "{\"start\":" + start + ",\"sum\":" + sum + "}");
            } else {
                cycle.upsert("w" + start,
                        "{\"start\":" + start + ",\"sum\":" + sum + ",\"windowEnd\":" + (start + WINDOW) + "}");
            }
        });
        JsonNode done = stream.send(cycle).json();
        if (!done.get("success").asBoolean()) {
            throw new IllegalStateException(done.toString());
        }
    }
}
