package io.queenmq.engine.batch;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Counts what each operation's database calls cost. Safe from any thread. */
public final class BatchMeters {
    private final MeterRegistry registry;
    private final Map<Operation, Timer> calls = new EnumMap<>(Operation.class);
    private final Map<Operation, DistributionSummary> sizes = new EnumMap<>(Operation.class);
    private final Map<Operation, Counter> errors = new EnumMap<>(Operation.class);

    private final Map<String, List<Supplier<Number>>> lines = new ConcurrentHashMap<>();

    public BatchMeters(MeterRegistry registry) {
        this.registry = registry;
        for (Operation operation : Operation.values()) {
            calls.put(operation, Timer.builder("queen.call").description("Time of calls of PostgreSQL, by operation.")
                    .tag("op", operation.label()).register(registry));
            sizes.put(operation, DistributionSummary.builder("queen.call.size")
                    .description("Requests that one call of PostgreSQL carried, by operation.")
                    .tag("op", operation.label()).register(registry));
            errors.put(operation, Counter.builder("queen.call.errors")
                    .description("Calls of PostgreSQL that failed, by operation.").tag("op", operation.label())
                    .register(registry));
        }
    }

    void batch(Operation operation, int size, long tookNs, boolean isFailed) {
        calls.get(operation).record(tookNs, TimeUnit.NANOSECONDS);
        sizes.get(operation).record(size);
        if (isFailed) {
            errors.get(operation).increment();
        }
    }

    /** How many calls were made, over all operations. */
    public long callCount() {
        return calls.values().stream().mapToLong(Timer::count).sum();
    }

    /** How many of them failed. */
    public long errorCount() {
        return errors.values().stream().mapToLong(counter -> (long) counter.count()).sum();
    }

    /** How many requests wait for a call at this moment. */
    public double waitingCount() {
        return registry.find("queen.call.waiting").gauges().stream().mapToDouble(Gauge::value).sum();
    }

    /** Each line of an operation adds its own to what is shown. */
    void gauge(Operation operation, String name, String description, Supplier<Number> value) {
        String meter = "queen.call." + name;
        List<Supplier<Number>> parts = lines.computeIfAbsent(meter + " " + operation.label(), _ -> {
            List<Supplier<Number>> all = new CopyOnWriteArrayList<>();
            Gauge.builder(meter, () -> all.stream().mapToInt(part -> part.get().intValue()).sum())
                    .description(description).tag("op", operation.label()).register(registry);
            return all;
        });
        parts.add(value);
    }
}
