package io.queenmq.engine.simulation;

import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

/**
 * Time and chance of one simulation. Everything that happens is an event; events of one moment happen in an order that
 * the seed decides. One seed always plays the same day.
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
        return EPOCH_MS * 1000 + nowNs / 1000;
    }

    long epochMs() {
        return EPOCH_MS + nowNs / 1_000_000;
    }

    SplittableRandom random() {
        return random;
    }

    /** True that often. */
    boolean happens(double probability) {
        return probability > 0 && random.nextDouble() < probability;
    }

    /** A length of time between the two, mostly near the shorter one. */
    long someNs(long fromNs, long toNs) {
        double share = random.nextDouble();
        return fromNs + (long) ((toNs - fromNs) * share * share * share);
    }

    void after(long delayNs, Runnable task) {
        events.add(new Event(nowNs + Math.max(0, delayNs), random.nextLong(), task));
    }

    /** Lets everything happen that is due within this time. */
    void run(long forNs) {
        runUntil(() -> false, forNs);
    }

    /** Lets things happen until something is the case, or this time is over. */
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

    /** Differs when two runs differed in any event. */
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
