package io.queenmq.client.operator;

import io.queenmq.client.wire.JsonNode;
import java.time.Instant;
import java.util.List;

/**
 * The shards of a database at one moment.
 *
 * @param isCitus whether they are placed by Citus; otherwise they are all in one PostgreSQL
 */
public record Shards(Instant at, boolean isCitus, List<ShardSummary> shards) {
    public Shards {
        shards = List.copyOf(shards);
    }

    static Shards read(JsonNode answer) {
        return new Shards(answer.get("timestamp").moment(), answer.get("isCitus").bool(),
                answer.get("shards").list().stream().map(ShardSummary::read).toList());
    }
}
