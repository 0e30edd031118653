package io.queenmq.engine.simulation.store;

import java.util.TreeMap;
import java.util.UUID;

/** A row of queen.cursor: the position of a group in a partition, and its lease. */
final class Cursor {
    private final Partition partition;
    private final String group;
    private final LeaseLog log;
    private long committed;
    private UUID leaseId;
    private Long leaseUntil;
    private Long leaseEnd;
    private Ranges acked = Ranges.NONE;
    private boolean isAlone;
    private final TreeMap<Long, Failure> failures = new TreeMap<>();
    private Long retryAt;
    private long completedCount;
    private long deadCount;
    private long skippedCount;
    private long expiredCount;
    private Long lastAckAt;

    Cursor(Partition partition, String group, long committed, LeaseLog log) {
        this.partition = partition;
        this.group = group;
        this.committed = committed;
        this.log = log;
    }

    Cursor copy(Partition ofPartition, LeaseLog intoLog) {
        Cursor copy = new Cursor(ofPartition, group, committed, intoLog);
        copy.leaseId = leaseId;
        copy.leaseUntil = leaseUntil;
        copy.leaseEnd = leaseEnd;
        copy.acked = acked;
        copy.isAlone = isAlone;
        copy.failures.putAll(failures);
        copy.retryAt = retryAt;
        copy.completedCount = completedCount;
        copy.deadCount = deadCount;
        copy.skippedCount = skippedCount;
        copy.expiredCount = expiredCount;
        copy.lastAckAt = lastAckAt;
        return copy;
    }

    Partition partition() {
        return partition;
    }

    String group() {
        return group;
    }

    /** Returns the first offset that the group has not finished. */
    long committed() {
        return committed;
    }

    UUID leaseId() {
        return leaseId;
    }

    Long leaseUntil() {
        return leaseUntil;
    }

    Long leaseEnd() {
        return leaseEnd;
    }

    /** Returns the finished offsets after committed. */
    Ranges acked() {
        return acked;
    }

    /** Returns true if the lease covers only one message of one partition. */
    boolean isAlone() {
        return isAlone;
    }

    /** Returns the failed deliveries of unfinished messages, by offset. */
    TreeMap<Long, Failure> failures() {
        return failures;
    }

    int attempts(long offset) {
        Failure failure = failures.get(offset);
        return failure == null ? 0 : failure.attempts();
    }

    Long retryAt() {
        return retryAt;
    }

    long completedCount() {
        return completedCount;
    }

    long deadCount() {
        return deadCount;
    }

    long skippedCount() {
        return skippedCount;
    }

    long expiredCount() {
        return expiredCount;
    }

    Long lastAckAt() {
        return lastAckAt;
    }

    boolean isHeld() {
        return leaseId != null;
    }

    boolean isLive(long now) {
        return isHeld() && leaseUntil > now;
    }

    boolean isLive(UUID lease, long now) {
        return isLive(now) && leaseId.equals(lease);
    }

    boolean isFinished(long offset) {
        return offset < committed || acked.contains(offset);
    }

    /** Returns the first stored offset that may be unread, ignoring offsets that were finished out of order. */
    long position() {
        return Math.max(committed, partition.tail());
    }

    void moveTo(long committed, Ranges acked) {
        this.committed = committed;
        this.acked = acked;
    }

    void setLease(UUID id, long end, long until, boolean isAlone, Ranges holes, long now) {
        this.isAlone = isAlone;
        leaseId = id;
        leaseEnd = end;
        leaseUntil = until;
        log.given(this, holes, now);
    }

    void prolongLease(long until) {
        leaseUntil = until;
        log.prolonged(this);
    }

    /** Returns the leased range; empty without a lease. */
    void endLease(LeaseEnd how, long now) {
        if (isHeld()) {
            log.ended(this, how, now);
        }
        leaseId = null;
        leaseUntil = null;
        leaseEnd = null;
    }

    /** Counts a failed delivery of the message. */
    int charge(long offset, String error, Long retryAt, long now) {
        int attempts = attempts(offset) + 1;
        failures.put(offset, new Failure(attempts, error, retryAt, now));
        return attempts;
    }

    /** Removes the failures of finished messages. */
    void forgetFinished() {
        failures.keySet().removeIf(this::isFinished);
    }

    /** Delays the partition until its first message is due. */
    void restUntilFirstIsDue() {
        Failure first = failures.get(committed);
        retryAt = first == null ? null : first.retryAt();
    }

    void resumeAtOnce() {
        retryAt = null;
    }

    /** Moves to another position for an operator, and removes failures and finished offsets. */
    void placeAt(long offset, long now) {
        endLease(LeaseEnd.OVERRULED, now);
        moveTo(offset, Ranges.NONE);
        failures.clear();
        retryAt = null;
    }

    void countAcked(long completed, long dead, long skipped, long expired) {
        completedCount += completed;
        deadCount += dead;
        skippedCount += skipped;
        expiredCount += expired;
    }

    void setLastAckAt(Long lastAckAt) {
        this.lastAckAt = lastAckAt;
    }
}
