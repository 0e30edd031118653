package io.queenmq.engine.numbers;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/**
 * What this server has counted since its last report. A number that the rooms keep after it was forgotten here is
 * reported all the same, because it enlists itself. Owned by the engine loop.
 */
public final class Numbers {
    private final Map<String, QueueNumbers> byQueue = new HashMap<>();
    private final ArrayDeque<QueueNumbers> touched = new ArrayDeque<>();
    private final Counts total = new Counts();
    private final RefusalLog refusals = new RefusalLog();
    private final TouchedPartitions partitions = new TouchedPartitions();
    private long requests;

    /** Where to count what happens to the queue of that name. */
    public QueueNumbers of(String queue) {
        return byQueue.computeIfAbsent(queue, name -> new QueueNumbers(this, name));
    }

    /** A push request came; the answer tells it apart from all others. */
    public long pushRequested() {
        total.pushRequests++;
        return ++requests;
    }

    /** A pop is answered with messages. */
    public long popAnswered() {
        total.popRequests++;
        return ++requests;
    }

    /** A pop is told that there is nothing; queue is null when it did not name one. */
    public void poppedNothing(QueueNumbers queue) {
        total.popRequests++;
        total.popEmpty++;
        if (queue != null) {
            queue.poppedNothing();
        }
    }

    public long ackRequested() {
        total.ackRequests++;
        return ++requests;
    }

    /** A transaction took effect. */
    public long transacted() {
        total.transactions++;
        return ++requests;
    }

    /** What is to be said in the log of refused pushes. */
    RefusalLog refusals() {
        return refusals;
    }

    /** The partitions in which something changed, which have to be counted again. */
    TouchedPartitions touchedPartitions() {
        return partitions;
    }

    Counts total() {
        return total;
    }

    void enlist(QueueNumbers queue) {
        touched.add(queue);
    }

    /** The queues to which something has happened, those that wait the longest first. */
    ArrayDeque<QueueNumbers> touched() {
        return touched;
    }

    /** Forgets a queue that does not exist. */
    void forget(QueueNumbers queue) {
        byQueue.remove(queue.queue(), queue);
    }

    /** Forgets queues that are gone. */
    void forgetAllBut(Predicate<String> isKnown) {
        byQueue.values().removeIf(queue -> !queue.isTouched() && !isKnown.test(queue.queue()));
    }
}
