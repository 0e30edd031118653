package io.queenmq.engine.stream;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/** Counts cycles by verdict, and their effects. Safe from any thread. */
final class CycleMeters {
    private final Map<Verdict, Counter> cycles = new EnumMap<>(Verdict.class);
    private final Counter messages;
    private final Counter emitted;
    private final Counter changes;

    CycleMeters(MeterRegistry registry) {
        for (Verdict verdict : Verdict.values()) {
            cycles.put(verdict,
                    Counter.builder("queen.stream.cycles").description("Cycles of stream queries, by verdict.")
                            .tag("verdict", verdict.label()).register(registry));
        }
        messages = Counter.builder("queen.stream.messages").description("Messages that cycles finished.")
                .register(registry);
        emitted = Counter.builder("queen.stream.emitted").description("Messages that cycles pushed.")
                .register(registry);
        changes = Counter.builder("queen.stream.state.changes").description("Changes of state that cycles made.")
                .register(registry);
    }

    void executed(Verdict verdict) {
        Objects.requireNonNull(cycles.get(verdict)).increment();
    }

    /** Counts the effects of a cycle that took effect. */
    void done(long finished, int pushed, int changed) {
        messages.increment(finished);
        emitted.increment(pushed);
        changes.increment(changed);
    }
}
