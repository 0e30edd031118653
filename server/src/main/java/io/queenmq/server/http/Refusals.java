package io.queenmq.server.http;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Map;

/** Counts what was not served for want of room or of patience, by reason. Safe from any thread. */
final class Refusals {
    /** Why. */
    enum Reason {
        /** A body was larger than allowed: 413. */
        BODY_TOO_LARGE,
        /** A body waited too long for room: 503. */
        BODY_WAIT,
        /** There was no room for what came of a body: 503. */
        BODY_FLOOD,
        /** A body did not come: 408. */
        BODY_SLOW,
        /** The head of a request did not come: the connection is closed. */
        HEAD_SLOW,
        /** A client did not read its answer: the connection is closed. */
        ANSWER_SLOW,
        /** There were too many connections: the new one is closed. */
        CONNECTIONS
    }

    private final Map<Reason, Counter> counters = new EnumMap<>(Reason.class);

    Refusals(MeterRegistry registry) {
        for (Reason reason : Reason.values()) {
            counters.put(reason, Counter.builder("queen.refused")
                    .description("Requests and connections not served for want of room or of patience, by reason.")
                    .tag("reason", reason.name().toLowerCase()).register(registry));
        }
    }

    void count(Reason reason) {
        counters.get(reason).increment();
    }
}
