package io.queenmq.engine.numbers;

import java.util.UUID;

/**
 * Counts what happens to one queue on this server. The rooms keep it at hand, so that counting is adding to a field; it
 * enlists itself for the next report when something is counted. Owned by the engine loop.
 */
public final class QueueNumbers {
    private final Numbers numbers;
    private final String queue;
    private final Counts counts = new Counts();
    private long lastPush;
    private long lastPop;
    private long lastAck;
    private long lastTransaction;
    private long parkedSeen;
    private long parkedPeriod;
    private boolean isTouched;
    private int carriedOver;

    QueueNumbers(Numbers numbers, String queue) {
        this.numbers = numbers;
        this.queue = queue;
    }

    String queue() {
        return queue;
    }

    /** A push request brings something for the queue; however many messages it brings, it counts once. */
    public void pushRequested(long request) {
        if (lastPush != request) {
            lastPush = request;
            counts.pushRequests++;
            touch();
        }
    }

    /** A call has changed what is unread or leased in a partition of the queue, or may have. */
    public void touched(UUID partition) {
        numbers.touchedPartitions().add(queue, partition);
    }

    /** A segment was stored. */
    public void pushed(UUID partition, int messages, boolean isNewPartition) {
        touched(partition);
        counts.pushed(messages, isNewPartition);
        numbers.total().pushed(messages, isNewPartition);
        touch();
    }

    /** Dead letters were moved into a partition of the queue. The routine that moved them has touched the partition. */
    public void redriven(int messages) {
        counts.pushed(messages, false);
        numbers.total().pushed(messages, false);
        touch();
    }

    /** Messages of one segment were handed out to a pop; with autoAck they count as acknowledged, too. */
    public void popped(long request, int messages, long ageMicros, boolean isAutoAck) {
        long lagMs = Math.max(0, ageMicros / 1000);
        if (lastPop != request) {
            lastPop = request;
            counts.popRequests++;
        }
        counts.popped(messages, lagMs);
        numbers.total().popped(messages, lagMs);
        if (isAutoAck) {
            acked(messages, 0);
        }
        touch();
    }

    void poppedNothing() {
        counts.popRequests++;
        counts.popEmpty++;
        touch();
    }

    /** An ack request speaks of messages of the queue. */
    public void ackRequested(long request) {
        if (lastAck != request) {
            lastAck = request;
            counts.ackRequests++;
            touch();
        }
    }

    /**
     * What became of acknowledgements.
     *
     * @param success messages completed, again or for the first time
     * @param failed messages that went wrong, and acknowledgements that were refused
     */
    public void acked(int success, int failed) {
        counts.acked(success, failed);
        numbers.total().acked(success, failed);
        touch();
    }

    /** A message was pushed and not taken; the error is what whoever pushed it was told. */
    public void refused(PushRefusal reason, String error) {
        counts.refused(reason);
        numbers.refusals().add(queue, reason, error);
        touch();
    }

    /** A transaction that pushed to the queue or acknowledged messages of it took effect. */
    public void transacted(long request) {
        if (lastTransaction != request) {
            lastTransaction = request;
            counts.transactions++;
            touch();
        }
    }

    /** So many pops wait at this moment; worth a report when a period begins, or when there are more than before in it. */
    void sawParked(int parked, long period) {
        if (period != parkedPeriod || parked > parkedSeen) {
            parkedPeriod = period;
            parkedSeen = parked;
            counts.parked = Math.max(counts.parked, parked);
            touch();
        }
    }

    boolean isTouched() {
        return isTouched;
    }

    /** What was counted since the last report. */
    long[] take() {
        isTouched = false;
        carriedOver = 0;
        return counts.take();
    }

    /** How many reports had to go without this queue, because nobody knew it. */
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
