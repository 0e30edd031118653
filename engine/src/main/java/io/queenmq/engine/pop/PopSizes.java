package io.queenmq.engine.pop;

/**
 * The numbers of entries in the structures of the pop module, so that the counts can be read without iterating. Changed on the
 * engine loop only; metrics read it from other threads.
 */
public final class PopSizes {
    private int waitingEntries;
    private int waitingPartitions;
    private int backlogs;
    private int partitions;
    private int readyPartitions;

    /** Returns the number of entries of waiting pops: one for each queue or partition that a pop waits for. */
    public int waitingEntries() {
        return waitingEntries;
    }

    /** Returns the number of partitions that waiting pops name now, or named until recently. */
    public int waitingPartitions() {
        return waitingPartitions;
    }

    /** Returns the number of pairs of queue and group that are in memory. */
    public int backlogs() {
        return backlogs;
    }

    /** Returns the number of partitions in memory, once for each group. */
    public int partitions() {
        return partitions;
    }

    /** Returns the number of partitions that are ready by the cached state, once for each group. */
    public int readyPartitions() {
        return readyPartitions;
    }

    void addWaitingEntries(int change) {
        waitingEntries += change;
    }

    void addWaitingPartitions(int change) {
        waitingPartitions += change;
    }

    void addBacklogs(int change) {
        backlogs += change;
    }

    void addPartitions(int change) {
        partitions += change;
    }

    void addReadyPartitions(int change) {
        readyPartitions += change;
    }
}
