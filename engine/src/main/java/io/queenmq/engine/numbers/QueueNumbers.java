package io.queenmq.engine.numbers;

import java.util.UUID;

/**
 * The counts of one queue on this server. Modules keep a reference, so that counting is an addition to a field. Enlists
 * itself for the next report when something is counted. Owned by the engine loop.
 */
public final class QueueNumbers {
    private final Numbers numbers;
    private final String queue;
    private final Counts counts = new Counts();
    private final LifetimeCounts.OfQueue lifetime;
    private long lastPush;
    private long lastPop;
    private long lastAck;
    private long lastTransaction;
    private long waitingPopsMax;
    private long waitingPopsPeriod;
    private boolean isTouched;
    private int carriedOver;

    QueueNumbers(Numbers numbers, String queue) {
        this.numbers = numbers;
        this.queue = queue;
        this.lifetime = numbers.lifetime().of(queue);
    }

    String queue() {
        return queue;
    }

    /** Counts a push request with messages for the queue. A request counts once, whatever its number of messages. */
    public void pushRequested(long request) {
        if (lastPush != request) {
            lastPush = request;
            counts.pushRequests++;
            touch();
        }
    }

    /** Records that a call has changed, or may have changed, the unread or leased messages of a partition. */
    public void touched(UUID partition) {
        numbers.touchedPartitions().add(queue, partition);
    }

    /** Counts the messages of a stored segment. */
    public void pushed(UUID partition, int messages, boolean isNewPartition) {
        touched(partition);
        counts.pushed(messages, isNewPartition);
        numbers.total().pushed(messages, isNewPartition);
        lifetime.pushed(messages);
        touch();
    }

    /**
     * Counts dead letters that were moved into a partition of the queue. The routine that moved them has touched the
     * partition.
     */
    public void redriven(int messages) {
        counts.pushed(messages, false);
        numbers.total().pushed(messages, false);
        lifetime.pushed(messages);
        touch();
    }

    /** Counts messages of one segment that were delivered to a pop. With autoAck they also count as acknowledged. */
    public void popped(long request, int messages, long ageMicros, boolean isAutoAck) {
        long lagMs = Math.max(0, ageMicros / 1000);
        if (lastPop != request) {
            lastPop = request;
            counts.popRequests++;
        }
        counts.popped(messages, lagMs);
        numbers.total().popped(messages, lagMs);
        lifetime.delivered(messages);
        numbers.lifetime().delivered(messages, lagMs);
        if (isAutoAck) {
            acked(messages, 0);
        }
        touch();
    }

    void poppedEmpty() {
        counts.popRequests++;
        counts.popEmpty++;
        touch();
    }

    /** Counts an ack request with messages of the queue. A request counts once. */
    public void ackRequested(long request) {
        if (lastAck != request) {
            lastAck = request;
            counts.ackRequests++;
            touch();
        }
    }

    /**
     * Counts the outcomes of acks.
     *
     * @param success messages that were completed, also repeatedly
     * @param failed messages that failed, and acks that were rejected
     */
    public void acked(int success, int failed) {
        counts.acked(success, failed);
        numbers.total().acked(success, failed);
        lifetime.acked(success, failed);
        touch();
    }

    /** Counts a pushed message that was refused, with the error that the client received. */
    public void refused(PushRefusal reason, String error) {
        counts.refused(reason);
        numbers.refusals().add(queue, reason, error);
        touch();
    }

    /** Counts a transaction that took effect and pushed to the queue or acknowledged messages of it. */
    public void transacted(long request) {
        if (lastTransaction != request) {
            lastTransaction = request;
            counts.transactions++;
            touch();
        }
    }

    /**
     * Records the current number of waiting pops. It is reported once per period, and whenever it exceeds the maximum
     * of the period.
     */
    void recordWaitingPops(int waitingPops, long period) {
        if (period != waitingPopsPeriod || waitingPops > waitingPopsMax) {
            waitingPopsPeriod = period;
            waitingPopsMax = waitingPops;
            counts.waitingPops = Math.max(counts.waitingPops, waitingPops);
            touch();
        }
    }

    boolean isTouched() {
        return isTouched;
    }

    /** Returns the counts since the last report, and resets them. */
    long[] take() {
        isTouched = false;
        carriedOver = 0;
        return counts.take();
    }

    /** Counts a report without this queue, because the queue is not in the catalog. Returns the number of such reports. */
    int carryOver() {
        return ++carriedOver;
    }

    private void touch() {
        if (!isTouched) {
            isTouched = true;
            numbers.enlist(this);
        }
    }
}
