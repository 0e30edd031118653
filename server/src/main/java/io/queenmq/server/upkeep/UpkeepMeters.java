package io.queenmq.server.upkeep;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.queenmq.engine.time.Clock;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/** The metrics of upkeep. Safe from any thread. */
final class UpkeepMeters {
    private final MeterRegistry registry;
    private final Map<String, AtomicLong> lastSuccess = new ConcurrentHashMap<>();

    UpkeepMeters(MeterRegistry registry, BooleanSupplier isLeader) {
        this.registry = registry;
        Gauge.builder("queen.upkeep.leader", () -> isLeader.getAsBoolean() ? 1 : 0)
                .description("1 on the server that does the upkeep.").register(registry);
    }

    /** Records a pass that has succeeded. */
    void ran(UpkeepJob job, long tookNs) {
        Timer.builder("queen.upkeep.pass").description("Time of passes of upkeep, by kind.").tag("kind", job.name())
                .register(registry).record(tookNs, TimeUnit.NANOSECONDS);
        lastSuccess.computeIfAbsent(job.name(), name -> {
            AtomicLong at = new AtomicLong();
            Gauge.builder("queen.upkeep.last.success.timestamp.seconds", at::get)
                    .description("When a pass of upkeep last ended well, in seconds since 1970, by kind.")
                    .tag("kind", name).register(registry);
            return at;
        }).set(Clock.SYSTEM.epochMs() / 1000);
    }

    void failed(UpkeepJob job) {
        Counter.builder("queen.upkeep.errors").description("Passes of upkeep that failed, by kind.")
                .tag("kind", job.name()).register(registry).increment();
    }

    /** @param kind message, dead_letter or stream_state */
    void reencrypted(String kind, long count) {
        Counter.builder("queen.encryption.reencrypted").description(
                "Messages, dead letters and values of stream state that were encrypted again with the current key.")
                .tag("kind", kind).register(registry).increment(count);
    }

    /** @param kind of what was removed, such as messages by retention */
    void removed(String kind, long count) {
        Counter.builder("queen.upkeep.removed").description("What upkeep removed, by kind.").tag("kind", kind)
                .register(registry).increment(count);
    }
}
