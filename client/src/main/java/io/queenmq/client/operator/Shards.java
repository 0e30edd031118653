package io.queenmq.client.operator;

import io.queenmq.client.wire.JsonNode;
import java.time.Instant;
import java.util.List;

/**
 * The shards of a database at one time.
 *
 * @param isCitus true if Citus places them; otherwise they are in one PostgreSQL
 */
public record Shards(Instant at, boolean isCitus, List<ShardSummary> shards) {
    public Shards {
        shards = List.copyOf(shards);
    }

    static Shards read(JsonNode response) {
        return new Shards(response.get("timestamp").moment(), response.get("isCitus").bool(),
                response.get("shards").list().stream().map(ShardSummary::read).toList());
    }
}
