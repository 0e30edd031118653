package io.queenmq.client.operator;

import io.queenmq.client.wire.Call;
import io.queenmq.client.wire.Call.Repeat;
import io.queenmq.client.wire.JsonNode;
import io.queenmq.client.wire.JsonWriter;
import io.queenmq.client.wire.Query;
import io.queenmq.client.wire.Wire;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a server keeps on its disk while PostgreSQL is away. It speaks of one server only: a client of several asks the first
 * that answers.
 */
public final class Spool {
    private static final String PATH = "/api/v1/system/spool";
    private static final String REFUSED = PATH + "/refused";

    private final Wire wire;

    Spool(Wire wire) {
        this.wire = wire;
    }

    /**
     * How it is; each server is asked once.
     *
     * @throws io.queenmq.client.error.UnavailableException when none takes messages
     */
    public Status status() {
        JsonNode spool = wire.send(Call.get("/health/push"), Duration.ZERO).json().get("spool");
        return new Status(spool.get("state").text("off"), spool.get("pending").number(), spool.get("bytes").number(),
                spool.get("bytesMax").number(), Duration.ofSeconds(spool.get("oldestSeconds").number()),
                spool.get("drainedPerSecond").number(), spool.get("refused").number(), spool.get("damaged").number(),
                spool.get("error").text());
    }

    /**
     * Messages that PostgreSQL refused for good, oldest first.
     *
     * @param queue null for any
     */
    public List<Refused> refused(@Nullable String queue, int limit) {
        return wire.send(Call.get(PATH + new Query().add("queue", queue).add("limit", limit))).json().get("refused")
                .list().stream()
                .map(each -> new Refused(each.get("messageId").string(), each.get("queue").string(),
                        each.get("partition").string(), each.get("transactionId").string(),
                        each.get("acceptedAt").moment(), each.get("reason").string(), each.get("bytes").number()))
                .toList();
    }

    /**
     * Has them stored once more; answers how many.
     *
     * @param queue null for all
     */
    public long retry(@Nullable String queue) {
        JsonWriter body = new JsonWriter().beginObject();
        if (queue != null) {
            body.field("queue", queue);
        }
        return wire.send(Call.post(REFUSED + "/retry", body.endObject().bytes()).repeat(Repeat.NEVER)).json()
                .get("putBack").number();
    }

    /**
     * Throws them away; answers how many.
     *
     * @param queue null for all
     */
    public long drop(@Nullable String queue) {
        return wire.send(Call.delete(REFUSED + new Query().add("queue", queue)).repeat(Repeat.NEVER)).json()
                .get("dropped").number();
    }

    /**
     * How it is.
     *
     * @param state ready, full, broken or off
     * @param pending messages that are accepted and not stored yet
     * @param oldest how long the oldest of them waits
     * @param drainedPerSecond messages that were stored from it, a moment ago
     * @param refused messages that PostgreSQL refused for good
     * @param damaged pieces of files that could not be read
     * @param error why it takes nothing
     */
    public record Status(String state, long pending, long bytes, long bytesMax, Duration oldest, long drainedPerSecond,
            long refused, long damaged, @Nullable String error) {}

    /** A message that was accepted while PostgreSQL was away, and that it refused when it was back. */
    public record Refused(String messageId, String queue, String partition, String transactionId, Instant acceptedAt,
            String reason, long bytes) {}
}
