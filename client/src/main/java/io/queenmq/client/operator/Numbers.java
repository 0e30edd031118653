package io.queenmq.client.operator;

import io.queenmq.client.wire.Call;
import io.queenmq.client.wire.Names;
import io.queenmq.client.wire.Query;
import io.queenmq.client.wire.Wire;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Figures over time for charts and reports. Each method returns a JSON document that {@code /openapi.json} describes. A
 * null queue means all queues. A null start means an hour ago, a null end now.
 */
public final class Numbers {
    private final Wire wire;

    Numbers(Wire wire) {
        this.wire = wire;
    }

    /** Returns the throughput and the current state. */
    public String status(@Nullable String queue, @Nullable Instant from, @Nullable Instant to) {
        return document("/api/v1/status" + between(queue, from, to));
    }

    /**
     * Returns the number of pushed messages over time.
     *
     * @param interval {@code minute}, {@code hour} or {@code day}
     */
    public String pushed(@Nullable String queue, String interval, @Nullable Instant from, @Nullable Instant to) {
        return document("/api/v1/status/analytics" + between(queue, from, to).add("interval", interval));
    }

    /** Returns the queues and their messages, newest first. */
    public String queues(int limit, int offset) {
        return document("/api/v1/status/queues" + new Query().add("limit", limit).add("offset", offset));
    }

    /** Returns one queue and its partitions. */
    public String queue(String queue) {
        return document("/api/v1/status/queues/" + Names.encode(Names.requireQueue(queue)));
    }

    /** Returns the operations of queues. */
    public String operations(@Nullable String queue, @Nullable Instant from, @Nullable Instant to) {
        return document("/api/v1/analytics/queue-ops" + between(queue, from, to));
    }

    /** Returns the age of messages at delivery. Messages that are still unread do not count. */
    public String lag(@Nullable String queue, @Nullable Instant from, @Nullable Instant to) {
        return document("/api/v1/analytics/queue-lag" + between(queue, from, to));
    }

    /** Returns the number of waiting pops of each server. */
    public String waitingPops(@Nullable String queue, @Nullable Instant from, @Nullable Instant to) {
        return document("/api/v1/analytics/queue-parked-replicas" + between(queue, from, to));
    }

    /** Returns the number of messages that upkeep removed, by reason. */
    public String removed(@Nullable String queue, @Nullable Instant from, @Nullable Instant to) {
        return document("/api/v1/analytics/retention" + between(queue, from, to));
    }

    /** Returns the throughput of each server. */
    public String servers(@Nullable Instant from, @Nullable Instant to) {
        return document("/api/v1/analytics/worker-metrics" + between(null, from, to));
    }

    /** Returns the resource usage of each server. */
    public String machines(@Nullable Instant from, @Nullable Instant to) {
        return document("/api/v1/analytics/system-metrics" + between(null, from, to));
    }

    /** Returns the state of PostgreSQL. */
    public String postgres() {
        return document("/api/v1/analytics/postgres-stats");
    }

    private static Query between(@Nullable String queue, @Nullable Instant from, @Nullable Instant to) {
        return new Query().add("queue", queue).add("from", from).add("to", to);
    }

    private String document(String path) {
        return wire.send(Call.get(path)).json().toString();
    }
}
