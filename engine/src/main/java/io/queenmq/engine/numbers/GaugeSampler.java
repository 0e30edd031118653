package io.queenmq.engine.numbers;

import io.queenmq.engine.time.Timers;

/** Measures the lag of the engine loop, and samples all other gauges once a second. Owned by the engine loop. */
final class GaugeSampler {
    private static final long TICK_NS = 200_000_000;
    private static final int TICKS_PER_SAMPLE = 5;

    private final Timers timers;
    private final Gauges gauges;
    private final Gauges.Series loopLag;
    private final Gauges.Series cpuUser;
    private final Gauges.Series cpuSystem;
    private final Gauges.Series resident;
    private final Gauges.Series virtual;
    private ProcessUse usedBefore;
    private long usedBeforeNs;
    private int ticks;
    private long dueNs;

    GaugeSampler(Timers timers, Gauges gauges) {
        this.timers = timers;
        this.gauges = gauges;
        this.loopLag = gauges.add("loop.lag_ms");
        this.cpuUser = gauges.add("cpu.user_us");
        this.cpuSystem = gauges.add("cpu.system_us");
        this.resident = gauges.add("memory.rss_bytes");
        this.virtual = gauges.add("memory.virtual_bytes");
        this.usedBefore = gauges.processUse();
        this.usedBeforeNs = timers.nowNs();
    }

    void start() {
        dueNs = timers.nowNs() + TICK_NS;
        timers.every(TICK_NS, () -> {
            // A timer of Vert.x may be late by a millisecond.
            loopLag.sample(Math.max(0, (timers.nowNs() - dueNs) / 1_000_000 - 1));
            dueNs = timers.nowNs() + TICK_NS;
            if (++ticks % TICKS_PER_SAMPLE == 0) {
                sample();
            }
        });
    }

    private void sample() {
        ProcessUse used = gauges.processUse();
        long nowNs = timers.nowNs();
        double elapsedMicros = Math.max(1, nowNs - usedBeforeNs) / 1_000.0;
        // In hundredths of a percent of one core, as existing dashboards expect it.
        cpuUser.sample((used.userMicros() - usedBefore.userMicros()) * 10_000 / elapsedMicros);
        cpuSystem.sample((used.systemMicros() - usedBefore.systemMicros()) * 10_000 / elapsedMicros);
        resident.sample(used.residentBytes());
        virtual.sample(used.virtualBytes());
        usedBefore = used;
        usedBeforeNs = nowNs;
        gauges.sample();
    }
}
