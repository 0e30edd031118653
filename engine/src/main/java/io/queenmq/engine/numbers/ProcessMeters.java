package io.queenmq.engine.numbers;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.queenmq.engine.time.Clock;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/** Registers the resource usage of this process, under the names that existing dashboards use. */
public final class ProcessMeters {
    private ProcessMeters() {}

    public static void register(ServerIdentity identity, Clock clock, MeterRegistry registry) {
        Gauge.builder("queen.uptime.seconds", () -> (clock.nowNs() - identity.startedNs()) / 1e9)
                .description("Time since this server was started.").register(registry);
        Gauge.builder("queen.build.info", () -> 1).tag("version", identity.version())
                .description("The version of this server; always 1.").register(registry);
        counter("queen.process.cpu.seconds", "CPU time of this server, in its own code and in the kernel.",
                use -> (use.userMicros() + use.systemMicros()) / 1e6, registry);
        counter("queen.cpu.user.microseconds", "CPU time of this server in its own code.", ProcessUse::userMicros,
                registry);
        counter("queen.cpu.system.microseconds", "CPU time of the kernel for this server.", ProcessUse::systemMicros,
                registry);
        gauge("queen.process.resident.memory.bytes", "Memory of this server that is in RAM.", ProcessUse::residentBytes,
                registry);
        gauge("queen.process.virtual.memory.bytes", "Memory that this server has reserved.", ProcessUse::virtualBytes,
                registry);
        registerJvm(registry);
    }

    /** Registers the memory and the garbage collectors of the JVM. */
    private static void registerJvm(MeterRegistry registry) {
        for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
            String area = pool.getType() == MemoryType.HEAP ? "heap" : "nonheap";
            memory("queen.jvm.memory.used.bytes", "Used memory of the JVM, by pool.", pool, area, MemoryUsage::getUsed,
                    registry);
            memory("queen.jvm.memory.committed.bytes", "Memory that the JVM has reserved, by pool.", pool, area,
                    MemoryUsage::getCommitted, registry);
            memory("queen.jvm.memory.max.bytes", "Maximum memory of the JVM, by pool; -1 if there is no limit.", pool,
                    area, MemoryUsage::getMax, registry);
        }
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            FunctionTimer
                    .builder("queen.jvm.gc.pause", collector, GarbageCollectorMXBean::getCollectionCount,
                            GarbageCollectorMXBean::getCollectionTime, TimeUnit.MILLISECONDS)
                    .description("Time of garbage collections, by collector.").tag("gc", collector.getName())
                    .register(registry);
        }
        Gauge.builder("queen.jvm.threads", ManagementFactory.getThreadMXBean(), ThreadMXBean::getThreadCount)
                .description("Threads of the JVM, without virtual ones.").register(registry);
    }

    private static void memory(String name, String description, MemoryPoolMXBean pool, String area,
            ToDoubleFunction<MemoryUsage> part, MeterRegistry registry) {
        Gauge.builder(name, pool, each -> part.applyAsDouble(each.getUsage())).description(description)
                .tag("area", area).tag("pool", pool.getName()).register(registry);
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
