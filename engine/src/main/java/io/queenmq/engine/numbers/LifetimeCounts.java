package io.queenmq.engine.numbers;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The counts of this server since its start, in the text format of Prometheus: messages per queue, and a histogram of the time
 * from the acceptance of a message to its delivery. The number of queues with their own series is limited; a queue keeps its
 * label. Counted on the engine loop, read from any thread.
 */
public final class LifetimeCounts {
    private static final String OTHER = "_other";
    private static final int SERIES_DEFAULT = 200;
    /** Upper bounds of the buckets in milliseconds. */
    private static final long[] BOUNDS_MS = {5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000,
        300_000, 3_600_000};

    private final Map<String, OfQueue> labeled = new ConcurrentHashMap<>();
    private final OfQueue other = new OfQueue();
    /** Deliveries per bucket; the last one has no bound. */
    private final AtomicLongArray ages = new AtomicLongArray(BOUNDS_MS.length + 1);
    private final AtomicLongArray ageSumMs = new AtomicLongArray(1);
    private int seriesMax = SERIES_DEFAULT;

    /** The metrics of queues. */
    private enum Metric {
        PUSHED("queen_queue_pushed_total", "Messages of the queue that this server stored."),
        DELIVERED("queen_queue_delivered_total", "Messages of the queue that this server delivered."),
        ACKNOWLEDGED("queen_queue_acknowledged_total",
                "Messages of the queue that were acknowledged as completed through this server."),
        FAILED("queen_queue_failed_total",
                "Messages of the queue that were acknowledged as failed through this server, and rejected acks.");

        private final String family;
        private final String help;

        Metric(String family, String help) {
            this.family = family;
            this.help = help;
        }
    }

    /** The counts of a queue, or of all queues without a label of their own. */
    static final class OfQueue {
        private final AtomicLongArray counts = new AtomicLongArray(Metric.values().length);

        void pushed(int messages) {
            add(counts, Metric.PUSHED.ordinal(), messages);
        }

        void delivered(int messages) {
            add(counts, Metric.DELIVERED.ordinal(), messages);
        }

        void acked(int success, int failed) {
            add(counts, Metric.ACKNOWLEDGED.ordinal(), success);
            add(counts, Metric.FAILED.ordinal(), failed);
        }
    }

    /** Sets the maximum number of queues with their own series. Must be called before the first queue is counted. */
    public void limit(int seriesMax) {
        this.seriesMax = seriesMax;
    }

    /** Returns the counts to which a queue adds. */
    OfQueue of(String queue) {
        OfQueue known = labeled.get(queue);
        if (known != null) {
            return known;
        }
        if (labeled.size() >= seriesMax || queue.equals(OTHER)) {
            return other;
        }
        OfQueue added = new OfQueue();
        labeled.put(queue, added);
        return added;
    }

    /** Removes the series of a deleted queue. */
    void forget(String queue) {
        labeled.remove(queue);
    }

    /** Counts delivered messages by the time since their acceptance. */
    void delivered(int messages, long ageMs) {
        int bucket = 0;
        while (bucket < BOUNDS_MS.length && ageMs > BOUNDS_MS[bucket]) {
            bucket++;
        }
        add(ages, bucket, messages);
        add(ageSumMs, 0, messages * ageMs);
    }

    /** There is one writer, so an addition needs no atomic instruction. */
    private static void add(AtomicLongArray counts, int position, long count) {
        counts.setRelease(position, counts.getPlain(position) + count);
    }

    /** Returns the metrics in the text format of Prometheus. Safe from any thread. */
    public String text() {
        Map<String, OfQueue> sorted = new TreeMap<>(labeled);
        sorted.put(OTHER, other);
        StringBuilder text = new StringBuilder();
        for (Metric metric : Metric.values()) {
            head(text, metric.family, metric.help, "counter");
            sorted.forEach((queue, counts) -> text.append(metric.family).append("{queue=\"").append(escaped(queue))
                    .append("\"} ").append(counts.counts.getAcquire(metric.ordinal())).append('\n'));
        }
        ages(text);
        return text.toString();
    }

    private void ages(StringBuilder text) {
        String name = "queen_delivery_age_seconds";
        head(text, name, "Time from the acceptance of a message to its delivery by this server.", "histogram");
        double sum = ageSumMs.getAcquire(0) / 1000.0;
        long count = 0;
        for (int i = 0; i < BOUNDS_MS.length; i++) {
            count += ages.getAcquire(i);
            text.append(name).append("_bucket{le=\"").append(BOUNDS_MS[i] / 1000.0).append("\"} ").append(count)
                    .append('\n');
        }
        count += ages.getAcquire(BOUNDS_MS.length);
        text.append(name).append("_bucket{le=\"+Inf\"} ").append(count).append('\n');
        text.append(name).append("_sum ").append(sum).append('\n');
        text.append(name).append("_count ").append(count).append('\n');
    }

    private static void head(StringBuilder text, String name, String help, String type) {
        text.append("# HELP ").append(name).append(' ').append(help).append('\n');
        text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    }

    private static String escaped(String label) {
        return label.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }
}
