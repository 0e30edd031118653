package io.queenmq.engine.push;

import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The bundles that wait for a partition, and the state of its lock in the database. Owned by the engine loop. */
final class PartitionAccess {
    /** Null while no bundle waits, as for almost all partitions. */
    private @Nullable TreeSet<WaitingBundle> bundles;
    private int reserved;
    private long takenNs;
    private boolean isLocked;
    private long lockedUntilNs;
    private int lockedTries;

    void add(WaitingBundle bundle) {
        if (bundles == null) {
            bundles = new TreeSet<>();
        }
        bundles.add(bundle);
    }

    void remove(WaitingBundle bundle) {
        if (bundles != null && bundles.remove(bundle) && bundles.isEmpty()) {
            bundles = null;
        }
    }

    boolean hasBundles() {
        return bundles != null;
    }

    /** Returns the waiting bundles in the order of their arrival. */
    List<WaitingBundle> bundles() {
        return bundles == null ? List.of() : List.copyOf(bundles);
    }

    /** Counts the bundles that reserve the partition. */
    void reserve(int change) {
        reserved += change;
    }

    /** Returns true if a waiting bundle keeps single pushes out of the partition. */
    boolean isReserved() {
        return reserved > 0;
    }

    /** Returns true if an earlier bundle keeps this one out of the partition. */
    boolean isReservedBefore(WaitingBundle bundle) {
        return isReserved() && bundles != null && bundles.headSet(bundle).stream().anyMatch(WaitingBundle::isReserving);
    }

    void taken(long nowNs) {
        takenNs = nowNs;
    }

    void freed() {
        isLocked = false;
    }

    /** Returns when the partition was last taken. */
    long takenNs() {
        return takenNs;
    }

    /** Returns true if a turn that has the partition waits for a lock of another transaction of the database. */
    boolean isLocked() {
        return isLocked;
    }

    void setLocked() {
        isLocked = true;
    }

    /**
     * Records that a bundle found the partition locked by another transaction of the database. Returns the delay before bundles
     * retry.
     */
    long backOff(long nowNs) {
        long delayNs = LockRetry.delayNs(lockedTries++);
        lockedUntilNs = nowNs + delayNs;
        return delayNs;
    }

    boolean isBackingOff(long nowNs) {
        return lockedTries > 0 && lockedUntilNs - nowNs > 0;
    }

    /** A segment was stored in the partition: it is not locked. */
    void stored() {
        lockedTries = 0;
    }
}
