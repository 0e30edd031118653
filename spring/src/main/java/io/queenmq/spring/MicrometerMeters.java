package io.queenmq.spring;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import java.util.concurrent.TimeUnit;

/** Records meters with Micrometer. Used only if it is on the class path. */
final class MicrometerMeters implements Meters {
    private final MeterRegistry registry;
    private final Backlogs backlogs;

    MicrometerMeters(MeterRegistry registry, Backlogs backlogs) {
        this.registry = registry;
        this.backlogs = backlogs;
    }

    @Override
    public void started(String queue, String group) {
        Tags tags = Tags.of("queue", queue, "group", group);
        Gauge.builder("queen.listener.lag", backlogs, each -> each.messages(queue, group)).tags(tags)
                .baseUnit("messages").description("Unfinished messages of the group").register(registry);
        TimeGauge.builder("queen.listener.lag.age", backlogs, TimeUnit.SECONDS, each -> each.ageSeconds(queue, group))
                .tags(tags).description("Time since the oldest unfinished message was due").register(registry);
        registry.counter("queen.listener.dead.letters", tags);
    }

    @Override
    public void pushed(String queue, String via, int messages) {
        registry.counter("queen.template.pushes", Tags.of("queue", queue, "via", via)).increment(messages);
    }

    @Override
    public void deadLettered(String queue, String group) {
        registry.counter("queen.listener.dead.letters", Tags.of("queue", queue, "group", group)).increment();
    }

    @Override
    public void handled(String queue, String group, int messages, long ns, boolean isFailure) {
        Tags tags = Tags.of("queue", queue, "group", group);
        registry.counter("queen.listener.deliveries", tags).increment(messages);
        registry.timer("queen.listener.time", tags).record(ns, TimeUnit.NANOSECONDS);
        registry.counter("queen.listener.failures", tags).increment(isFailure ? 1 : 0);
    }
}
