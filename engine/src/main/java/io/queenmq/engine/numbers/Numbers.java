package io.queenmq.engine.numbers;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The counts of this server since its last report. Counts of a queue that was removed here, and that a module still
 * references, are reported as well, because they enlist themselves. Owned by the engine loop.
 */
public final class Numbers {
    private final Map<String, QueueNumbers> byQueue = new HashMap<>();
    private final ArrayDeque<QueueNumbers> touched = new ArrayDeque<>();
    private final Counts total = new Counts();
    private final RefusalLog refusals = new RefusalLog();
    private final TouchedPartitions partitions = new TouchedPartitions();
    private final LifetimeCounts lifetime = new LifetimeCounts();
    private long requests;

    /** Returns the counts of the queue with this name. */
    public QueueNumbers of(String queue) {
        return byQueue.computeIfAbsent(queue, name -> new QueueNumbers(this, name));
    }

    /** Counts a push request, and returns its unique number. */
    public long pushRequested() {
        total.pushRequests++;
        return ++requests;
    }

    /** Counts a pop that was answered with messages, and returns its unique number. */
    public long popAnswered() {
        total.popRequests++;
        return ++requests;
    }

    /** Counts a pop that was answered without messages. The queue is null if the pop did not name one. */
    public void poppedEmpty(@Nullable QueueNumbers queue) {
        total.popRequests++;
        total.popEmpty++;
        if (queue != null) {
            queue.poppedEmpty();
        }
    }

    public long ackRequested() {
        total.ackRequests++;
        return ++requests;
    }

    /** Counts a transaction that took effect, and returns its unique number. */
    public long transacted() {
        total.transactions++;
        return ++requests;
    }

    /** Returns the log of refused pushes. */
    RefusalLog refusals() {
        return refusals;
    }

    /** Returns the partitions that changed and must be counted again. */
    TouchedPartitions touchedPartitions() {
        return partitions;
    }

    /** Returns the counts since the start of this server. */
    public LifetimeCounts lifetime() {
        return lifetime;
    }

    Counts total() {
        return total;
    }

    void enlist(QueueNumbers queue) {
        touched.add(queue);
    }

    /** Returns the queues with counts to report, those that have waited the longest first. */
    ArrayDeque<QueueNumbers> touched() {
        return touched;
    }

    /** Removes a queue that does not exist. */
    void forget(QueueNumbers queue) {
        if (byQueue.remove(queue.queue(), queue)) {
            lifetime.forget(queue.queue());
        }
    }

    /** Removes queues that do not exist and have nothing to report. */
    void removeUnknown(Predicate<String> isKnown) {
        byQueue.values().removeIf(queue -> {
            boolean isRemoved = !queue.isTouched() && !isKnown.test(queue.queue());
            if (isRemoved) {
                lifetime.forget(queue.queue());
            }
            return isRemoved;
        });
    }
}
