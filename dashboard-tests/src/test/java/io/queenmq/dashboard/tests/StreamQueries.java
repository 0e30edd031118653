package io.queenmq.dashboard.tests;

import io.queenmq.testkit.QueenClient;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** A stream query that reads a queue of its name and has state in the partitions a and b. */
record StreamQueries(QueenClient queen, String name) {
    static StreamQueries create(QueenClient queen, String name) {
        String id = queen.post("/streams/v1/queries",
                Map.of("name", name, "source_queue", name, "sink_queue", name + ".totals", "config_hash", "5f1d"))
                .body().get("query_id").asText();
        for (String partition : List.of("a", "b")) {
            queen.push(name, partition, List.of("click-1", "click-2", "click-3"));
            var last = queen.pop(name, partition, "streams." + id, "batch=10").messages().getLast();
            List<Map<String, Object>> windows = IntStream.range(0, 3)
                    .<Map<String, Object>>mapToObj(i -> Map.of("type", "upsert", "key", "minute:" + i, "value",
                            Map.of("clicks", 9_007_199_254_740_993L + i, "windowEnd", 1_760_000_000_000L + i * 60_000)))
                    .toList();
            boolean isDone = queen
                    .post("/streams/v1/cycle", Map.of("query_id", id, "partition_id", last.partitionId(),
                            "consumer_group", "streams." + id, "state_ops", windows, "push_items",
                            List.of(Map.of("queue", name + ".totals", "partition", partition, "payload",
                                    Map.of("clicks", 17))),
                            "ack",
                            Map.of("transactionId", last.transactionId(), "leaseId", last.leaseId(), "count", 3)))
                    .body().get("success").asBoolean();
            if (!isDone) {
                throw new IllegalStateException("the cycle of " + name + " took no effect");
            }
        }
        return new StreamQueries(queen, name);
    }

    /** Returns the number of keys of the query; null if the query does not exist. */
    Integer keys() {
        var answer = queen.get("/streams/v1/queries/" + name);
        return answer.status() == 200 ? answer.body().get("stateRows").asInt() : null;
    }
}
