package io.queenmq.engine.numbers;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.queenmq.engine.time.Clock;
import java.util.function.ToDoubleFunction;

/** Registers the resource usage of this process, under the names that existing dashboards use. */
public final class ProcessMeters {
    private ProcessMeters() {}

    public static void register(ServerIdentity identity, Clock clock, MeterRegistry registry) {
        Gauge.builder("queen.uptime.seconds", () -> (clock.nowNs() - identity.startedNs()) / 1e9)
                .description("Time since this server was started.").register(registry);
        Gauge.builder("queen.build.info", () -> 1).tag("version", identity.version())
                .description("The version of this server; always 1.").register(registry);
        counter("queen.cpu.user.microseconds", "CPU time of this server in its own code.", ProcessUse::userMicros,
                registry);
        counter("queen.cpu.system.microseconds", "CPU time of the kernel for this server.", ProcessUse::systemMicros,
                registry);
        gauge("queen.process.resident.memory.bytes", "Memory of this server that is in RAM.", ProcessUse::residentBytes,
                registry);
        gauge("queen.process.virtual.memory.bytes", "Memory that this server has reserved.", ProcessUse::virtualBytes,
                registry);
    }

    private static void counter(String name, String description, ToDoubleFunction<ProcessUse> part,
            MeterRegistry registry) {
        // The counter references its object weakly, and a class is never collected.
        FunctionCounter.builder(name, ProcessMeters.class, _ -> part.applyAsDouble(ProcessUse.now()))
                .description(description).register(registry);
    }

    private static void gauge(String name, String description, ToDoubleFunction<ProcessUse> part,
            MeterRegistry registry) {
        Gauge.builder(name, () -> part.applyAsDouble(ProcessUse.now())).description(description).register(registry);
    }
}
