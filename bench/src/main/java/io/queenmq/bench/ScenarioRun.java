package io.queenmq.bench;

import java.time.Duration;
import java.util.Locale;

/** Runs one scenario: warm-up, measurement, end. */
final class ScenarioRun {
    private static final long UPDATE_NS = Duration.ofMillis(500).toNanos();

    private final Scenario scenario;
    private final Target target;
    private final QueueNames queues;
    private final Progress progress;
    private final Duration deliveryTimeout;
    private final Tally tally = new Tally();
    private long updatedNs;

    /** @param deliveryTimeout time after which a stored message that is not delivered counts as lost */
    ScenarioRun(Scenario scenario, Target target, QueueNames queues, Progress progress, Duration deliveryTimeout) {
        this.scenario = scenario;
        this.target = target;
        this.queues = queues;
        this.progress = progress;
        this.deliveryTimeout = deliveryTimeout;
    }

    /** Runs the scenario. Failures are part of the result. */
    ScenarioResult run(Duration warmup, Duration length) {
        Window measured = new Window(target::usage);
        try (ClientLoop loop = new ClientLoop(target.address(), target.consumerAddress())) {
            Traffic traffic = Traffic.of(scenario.load(), loop, target.host(), queues, tally, deliveryTimeout);
            run(loop, traffic, warmup, new Window(() -> Usage.NONE), false);
            run(loop, traffic, length, measured, true);
            progress.update(line("finishing"));
            traffic.finish();
        } catch (BenchAbortedException e) {
            tally.error(e.getMessage());
        }
        return ScenarioResult.of(scenario, tally, measured);
    }

    private void run(ClientLoop loop, Traffic traffic, Duration length, Window window, boolean isMeasured) {
        for (int round = 0; round < scenario.load().roundsMax() && window.elapsedNs() < length.toNanos(); round++) {
            progress.update(line("preparing"));
            traffic.prepare();
            if (round == 0) {
                progress.event(line(isMeasured ? "measuring" : "warming up"));
            }
            tally.measure(isMeasured);
            window.resume();
            try {
                long endNs = System.nanoTime() + length.toNanos() - window.elapsedNs();
                traffic.start();
                loop.runUntil(() -> isOver(traffic, endNs, isMeasured), traffic);
            } finally {
                tally.measure(false);
                window.pause();
            }
        }
    }

    private boolean isOver(Traffic traffic, long endNs, boolean isMeasured) {
        long nowNs = System.nanoTime();
        if (nowNs - updatedNs > UPDATE_NS) {
            updatedNs = nowNs;
            long secondsLeft = Math.max(0, Duration.ofNanos(endNs - nowNs).toSeconds());
            progress.update(line(String.format(Locale.ROOT, "%s, %d s left, %,d messages, %,d errors",
                    isMeasured ? "measuring" : "warming up", secondsLeft, tally.messagesEver(), tally.errors())));
        }
        return nowNs - endNs >= 0 || traffic.isExhausted();
    }

    private String line(String what) {
        return scenario.name() + " (" + scenario.title() + "): " + what;
    }
}
