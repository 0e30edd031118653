package io.queenmq.server.http.server;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.step.StepCounter;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/** Counts the requests of each operation, their duration and their messages. Safe from any thread. */
public final class RequestMeters {
    /** The operations of clients. */
    public enum Kind {
        PUSH,
        POP,
        ACK,
        TRANSACTION,
        RENEW,
        CYCLE,
        READ_STATE;

        public String label() {
            return name().toLowerCase();
        }
    }

    /** Upper bounds of the buckets of the histogram. A pop may wait for half a minute. */
    private static final Duration[] BUCKETS = LongStream
            .of(1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000).mapToObj(Duration::ofMillis)
            .toArray(Duration[]::new);

    private final Map<Kind, Timer> times = new EnumMap<>(Kind.class);
    private final Map<Kind, Counter> errors = new EnumMap<>(Kind.class);
    private final Map<Kind, Counter> items = new EnumMap<>(Kind.class);
    private final Map<Kind, Minute> minutes = new EnumMap<>(Kind.class);

    public RequestMeters(MeterRegistry registry) {
        for (Kind kind : Kind.values()) {
            times.put(kind, Timer.builder("queen.request").description("Time from request to response, by operation.")
                    .tag("op", kind.label()).serviceLevelObjectives(BUCKETS).register(registry));
            errors.put(kind,
                    Counter.builder("queen.request.errors")
                            .description("Requests answered with a status of 400 or more, by operation.")
                            .tag("op", kind.label()).register(registry));
            items.put(kind, Counter.builder("queen.request.items").description("Messages of requests, by operation.")
                    .tag("op", kind.label()).register(registry));
        }
        for (Kind kind : List.of(Kind.PUSH, Kind.POP, Kind.ACK)) {
            addOlderNames(kind, registry);
        }
    }

    /** Registers the numbers of the last minute under the names of the existing Queen server. */
    private void addOlderNames(Kind kind, MeterRegistry registry) {
        Minute minute = new Minute(of(times, kind).getId());
        minutes.put(kind, minute);
        Gauge.builder("queen.sidecar.op.count", minute.requests::count)
                .description("Requests in the last full minute, by operation.").tag("op", kind.label())
                .register(registry);
        Gauge.builder("queen.sidecar.op.latency.microseconds", minute::meanMicros)
                .description("Mean time from request to response in the last full minute, by operation.")
                .tag("op", kind.label()).register(registry);
        Gauge.builder("queen.sidecar.op.items", minute.items::count)
                .description("Messages of requests in the last full minute, by operation.").tag("op", kind.label())
                .register(registry);
    }

    void answered(Kind kind, long tookNs, int status, int messages) {
        of(times, kind).record(tookNs, TimeUnit.NANOSECONDS);
        if (status >= 400) {
            of(errors, kind).increment();
        }
        if (messages > 0) {
            of(items, kind).increment(messages);
        }
        Minute minute = minutes.get(kind);
        if (minute != null) {
            minute.add(tookNs, messages);
        }
    }

    private static <T> T of(Map<Kind, T> meters, Kind kind) {
        return Objects.requireNonNull(meters.get(kind));
    }

    public double count(Kind kind) {
        return of(times, kind).count();
    }

    public double meanMs(Kind kind) {
        return of(times, kind).mean(TimeUnit.MILLISECONDS);
    }

    public double maxMs(Kind kind) {
        return of(times, kind).max(TimeUnit.MILLISECONDS);
    }

    public double errors(Kind kind) {
        return of(errors, kind).count();
    }

    public double items(Kind kind) {
        return of(items, kind).count();
    }

    /** Counts of the last full minute. */
    private static final class Minute {
        private static final long STEP_MS = 60_000;

        private final StepCounter requests;
        private final StepCounter items;
        private final StepCounter micros;

        /** @param id id of the counted meter */
        Minute(Meter.Id id) {
            requests = new StepCounter(id, Clock.SYSTEM, STEP_MS);
            items = new StepCounter(id, Clock.SYSTEM, STEP_MS);
            micros = new StepCounter(id, Clock.SYSTEM, STEP_MS);
        }

        void add(long tookNs, int messages) {
            requests.increment();
            items.increment(messages);
            micros.increment(tookNs / 1e3);
        }

        double meanMicros() {
            double count = requests.count();
            return count == 0 ? 0 : micros.count() / count;
        }
    }
}
