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
 * The messages that a server spools to its disk while PostgreSQL is unavailable. Applies to one server: a client with
 * several uses the first that responds.
 */
public final class Spool {
    private static final String PATH = "/api/v1/system/spool";
    private static final String REFUSED = PATH + "/refused";

    /** The states in the order in which servers report them. */
    private static final List<String> STATES = List.of("off", "ready", "full", "broken");

    private final Wire wire;

    Spool(Wire wire) {
        this.wire = wire;
    }

    /**
     * Returns the state of the spool. Each server is tried once.
     *
     * @throws io.queenmq.client.error.UnavailableException if none accepts messages
     */
    public Status status() {
        return read(wire.send(Call.get("/health/push"), Duration.ZERO).json().get("spool"));
    }

    static Status read(JsonNode spool) {
        return new Status(spool.get("state").text("off"), spool.get("pending").number(), spool.get("bytes").number(),
                spool.get("bytesMax").number(), Duration.ofSeconds(spool.get("oldestSeconds").number()),
                spool.get("drainedPerSecond").number(), spool.get("refused").number(), spool.get("damaged").number(),
                spool.get("error").text());
    }

    /**
     * Returns the spools of all servers that have reported within an hour, as last reported. Fails while PostgreSQL is
     * unavailable.
     */
    public List<OfServer> all() {
        return wire.send(Call.get("/api/v1/analytics/worker-metrics")).json().get("workers").list().stream()
                .filter(each -> !each.get("spool").isNull()).map(each -> {
                    JsonNode spool = each.get("spool");
                    int state = Math.clamp(spool.get("state").number(), 0, STATES.size() - 1);
                    return new OfServer(each.get("workerId").string(), each.get("hostname").string(),
                            each.get("state").text("unknown"), STATES.get(state), spool.get("pending").number(),
                            Duration.ofSeconds(spool.get("oldestSeconds").number()), spool.get("bytes").number(),
                            spool.get("refused").number(), each.get("lastSeen").moment());
                }).toList();
    }

    /**
     * Lists messages that PostgreSQL rejected permanently, oldest first.
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
     * Tries to store rejected messages again. Returns their number.
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
     * Deletes rejected messages. Returns their number.
     *
     * @param queue null for all
     */
    public long drop(@Nullable String queue) {
        return wire.send(Call.delete(REFUSED + new Query().add("queue", queue)).repeat(Repeat.NEVER)).json()
                .get("dropped").number();
    }

    /**
     * The state of a spool.
     *
     * @param state ready, full, broken or off
     * @param pending messages that are accepted and not yet stored
     * @param oldest the age of the oldest of them
     * @param drainedPerSecond messages recently stored from the spool per second
     * @param refused messages that PostgreSQL rejected permanently
     * @param damaged parts of files that could not be read
     * @param error why it accepts no messages
     */
    public record Status(String state, long pending, long bytes, long bytesMax, Duration oldest, long drainedPerSecond,
            long refused, long damaged, @Nullable String error) {}

    /**
     * The spool of one of the servers.
     *
     * @param server the name of the server
     * @param serverState running, or dead if it was killed or cannot report
     * @param state ready, full, broken or off
     * @param seen the time of the report
     */
    public record OfServer(String server, String hostname, String serverState, String state, long pending,
            Duration oldest, long bytes, long refused, Instant seen) {}

    /** A message that was accepted while PostgreSQL was unavailable, and rejected by PostgreSQL later. */
    public record Refused(String messageId, String queue, String partition, String transactionId, Instant acceptedAt,
            String reason, long bytes) {}
}
