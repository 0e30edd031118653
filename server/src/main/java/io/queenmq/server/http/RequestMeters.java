package io.queenmq.server.http;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Counts the requests of each operation, what they took and how many messages they were about. Safe from any thread. */
final class RequestMeters {
    /** The operations a client can ask for. */
    enum Kind {
        PUSH,
        POP,
        ACK,
        TRANSACTION,
        RENEW,
        CYCLE,
        READ_STATE;

        String label() {
            return name().toLowerCase();
        }
    }

    private final Map<Kind, Timer> times = new EnumMap<>(Kind.class);
    private final Map<Kind, Counter> errors = new EnumMap<>(Kind.class);
    private final Map<Kind, Counter> items = new EnumMap<>(Kind.class);

    RequestMeters(MeterRegistry registry) {
        for (Kind kind : Kind.values()) {
            times.put(kind, Timer.builder("queen.request").tag("op", kind.label()).register(registry));
            errors.put(kind, Counter.builder("queen.request.errors").tag("op", kind.label()).register(registry));
            items.put(kind, Counter.builder("queen.request.items").tag("op", kind.label()).register(registry));
        }
        for (Kind kind : List.of(Kind.PUSH, Kind.POP, Kind.ACK)) {
            addOlderNames(kind, registry);
        }
    }

    /** Dashboards of Queen know these numbers by other names. */
    private void addOlderNames(Kind kind, MeterRegistry registry) {
        Gauge.builder("queen.sidecar.op.count", () -> count(kind)).tag("op", kind.label()).register(registry);
        Gauge.builder("queen.sidecar.op.latency.microseconds", () -> meanMs(kind) * 1000).tag("op", kind.label())
                .register(registry);
        Gauge.builder("queen.sidecar.op.items", () -> items(kind)).tag("op", kind.label()).register(registry);
    }

    void answered(Kind kind, long tookNs, int status, int messages) {
        times.get(kind).record(tookNs, TimeUnit.NANOSECONDS);
        if (status >= 400) {
            errors.get(kind).increment();
        }
        if (messages > 0) {
            items.get(kind).increment(messages);
        }
    }

    double count(Kind kind) {
        return times.get(kind).count();
    }

    double meanMs(Kind kind) {
        return times.get(kind).mean(TimeUnit.MILLISECONDS);
    }

    double maxMs(Kind kind) {
        return times.get(kind).max(TimeUnit.MILLISECONDS);
    }

    double errors(Kind kind) {
        return errors.get(kind).count();
    }

    double items(Kind kind) {
        return items.get(kind).count();
    }
}
