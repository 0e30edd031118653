package io.queenmq.client.operator;

import io.queenmq.client.wire.Call;
import io.queenmq.client.wire.Names;
import io.queenmq.client.wire.Query;
import io.queenmq.client.wire.Wire;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Figures over time, for charts and reports. Each answer is a JSON document as {@code /openapi.json} describes it. Where a queue
 * may be null it stands for all of them, and a null moment for an hour ago, or for now.
 */
public final class Numbers {
    private final Wire wire;

    Numbers(Wire wire) {
        this.wire = wire;
    }

    /** What the servers did, and how things stand. */
    public String status(@Nullable String queue, @Nullable Instant from, @Nullable Instant to) {
        return document("/api/v1/status" + between(queue, from, to));
    }

    /**
     * Messages pushed over time.
     *
     * @param interval {@code minute}, {@code hour} or {@code day}
     */
    public String pushed(@Nullable String queue, String interval, @Nullable Instant from, @Nullable Instant to) {
        return document("/api/v1/status/analytics" + between(queue, from, to).add("interval", interval));
    }

    /** Queues and what is in them, newest first. */
    public String queues(int limit, int offset) {
        return document("/api/v1/status/queues" + new Query().add("limit", limit).add("offset", offset));
    }

    /** One queue and its partitions. */
    public String queue(String queue) {
        return document("/api/v1/status/queues/" + Names.encode(Names.requireQueue(queue)));
    }

    /** Every operation of queues. */
    public String operations(@Nullable String queue, @Nullable Instant from, @Nullable Instant to) {
        return document("/api/v1/analytics/queue-ops" + between(queue, from, to));
    }

    /** How old messages were when they were handed out, which is not how long those wait that are unread. */
    public String lag(@Nullable String queue, @Nullable Instant from, @Nullable Instant to) {
        return document("/api/v1/analytics/queue-lag" + between(queue, from, to));
    }

    /** How many pops waited on which server. */
    public String parked(@Nullable String queue, @Nullable Instant from, @Nullable Instant to) {
        return document("/api/v1/analytics/queue-parked-replicas" + between(queue, from, to));
    }

    /** How many messages upkeep removed, and why. */
    public String removed(@Nullable String queue, @Nullable Instant from, @Nullable Instant to) {
        return document("/api/v1/analytics/retention" + between(queue, from, to));
    }

    /** What the servers did, one by one. */
    public String servers(@Nullable Instant from, @Nullable Instant to) {
        return document("/api/v1/analytics/worker-metrics" + between(null, from, to));
    }

    /** What each server took of its machine. */
    public String machines(@Nullable Instant from, @Nullable Instant to) {
        return document("/api/v1/analytics/system-metrics" + between(null, from, to));
    }

    /** How PostgreSQL is doing. */
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
