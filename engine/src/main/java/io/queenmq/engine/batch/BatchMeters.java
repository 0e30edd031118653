package io.queenmq.engine.batch;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** The meters of database calls, by operation. Safe from any thread. */
public final class BatchMeters {
    private final MeterRegistry registry;
    /** The meters of each operation, by its ordinal. */
    private final OperationMeters[] operations = new OperationMeters[Operation.values().length];
    private final Map<String, List<Supplier<Number>>> gaugeParts = new ConcurrentHashMap<>();

    public BatchMeters(MeterRegistry registry) {
        this.registry = registry;
        for (Operation operation : Operation.values()) {
            operations[operation.ordinal()] = new OperationMeters(
                    Timer.builder("queen.call").description("Time of calls of PostgreSQL, by operation.")
                            .tag("op", operation.label()).register(registry),
                    DistributionSummary.builder("queen.call.size")
                            .description("Requests in one call of PostgreSQL, by operation.")
                            .tag("op", operation.label()).register(registry),
                    Counter.builder("queen.call.errors").description("Calls of PostgreSQL that failed, by operation.")
                            .tag("op", operation.label()).register(registry));
        }
    }

    void batch(Operation operation, int size, long tookNs, boolean isFailed) {
        OperationMeters meters = operations[operation.ordinal()];
        meters.calls.record(tookNs, TimeUnit.NANOSECONDS);
        meters.sizes.record(size);
        if (isFailed) {
            meters.errors.increment();
        }
    }

    /** Returns the number of calls of all operations. */
    public long callCount() {
        return Arrays.stream(operations).mapToLong(meters -> meters.calls.count()).sum();
    }

    /** Returns the number of failed calls of all operations. */
    public long errorCount() {
        return Arrays.stream(operations).mapToLong(meters -> (long) meters.errors.count()).sum();
    }

    /** Returns the number of requests that wait for a call now. */
    public double waitingCount() {
        return registry.find("queen.call.waiting").gauges().stream().mapToDouble(Gauge::value).sum();
    }

    /** Registers a part of a gauge, which shows the sum over all {@link Batches} of the operation. */
    void gauge(Operation operation, String name, String description, Supplier<Number> value) {
        String meter = "queen.call." + name;
        List<Supplier<Number>> parts = gaugeParts.computeIfAbsent(meter + " " + operation.label(), _ -> {
            List<Supplier<Number>> all = new CopyOnWriteArrayList<>();
            Gauge.builder(meter, () -> all.stream().mapToInt(part -> part.get().intValue()).sum())
                    .description(description).tag("op", operation.label()).register(registry);
            return all;
        });
        parts.add(value);
    }

    private record OperationMeters(Timer calls, DistributionSummary sizes, Counter errors) {}
}
