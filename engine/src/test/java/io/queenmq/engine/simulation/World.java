package io.queenmq.engine.simulation;

import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

/**
 * The clock and the random numbers of one simulation. Every activity is an event. The seed determines the order of
 * events at the same time, so a seed always yields the same run.
 */
final class World {
    private static final long EPOCH_MS = 1_700_000_000_000L;

    private final SplittableRandom random;
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private long nowNs = 1_000_000_000;
    private long count;
    private long fingerprint;

    World(long seed) {
        this.random = new SplittableRandom(seed);
    }

    long nowNs() {
        return nowNs;
    }

    long epochMicros() {
        return epochMicros(nowNs);
    }

    static long epochMicros(long ns) {
        return EPOCH_MS * 1000 + ns / 1000;
    }

    long epochMs() {
        return EPOCH_MS + nowNs / 1_000_000;
    }

    SplittableRandom random() {
        return random;
    }

    /** Returns true with this probability. */
    boolean happens(double probability) {
        return probability > 0 && random.nextDouble() < probability;
    }

    /** Returns a random duration between the two, mostly near the shorter one. */
    long someNs(long fromNs, long toNs) {
        double share = random.nextDouble();
        return fromNs + (long) ((toNs - fromNs) * share * share * share);
    }

    void after(long delayNs, Runnable task) {
        events.add(new Event(nowNs + Math.max(0, delayNs), random.nextLong(), task));
    }

    /** Runs all events that are due within this time. */
    void run(long forNs) {
        runUntil(() -> false, forNs);
    }

    /** Runs events until the condition is true, or this time has elapsed. */
    void runUntil(BooleanSupplier isCase, long withinNs) {
        long untilNs = nowNs + withinNs;
        while (!isCase.getAsBoolean()) {
            if (events.isEmpty() || events.peek().atNs > untilNs) {
                nowNs = untilNs;
                return;
            }
            Event next = events.poll();
            nowNs = next.atNs;
            count++;
            fingerprint = fingerprint * 31 + nowNs ^ next.order;
            next.task.run();
        }
    }

    long eventCount() {
        return count;
    }

    /** Returns a hash that differs if any event of two runs differs. */
    long fingerprint() {
        return fingerprint;
    }

    private record Event(long atNs, long order, Runnable task) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            int byTime = Long.compare(atNs, other.atNs);
            return byTime != 0 ? byTime : Long.compare(order, other.order);
        }
    }
}
