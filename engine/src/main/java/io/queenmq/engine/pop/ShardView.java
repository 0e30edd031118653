package io.queenmq.engine.pop;

/** The state of the scans of one shard for the backlog of a group. Owned by the engine loop. */
final class ShardView {
    /** The extent to which the partitions of the shard are loaded. */
    enum Knowledge {
        /** Partitions may be missing: all have to be loaded. */
        NONE,
        /** The partitions are being loaded, page by page. */
        LOADING,
        /** All partitions are loaded. Pushes since then are arrivals. */
        COMPLETE
    }

    private Knowledge knowledge = Knowledge.NONE;
    private boolean isScanning;
    private long lookupAtNs;
    private long longLookupAtNs;
    private long scannedAtNs;
    private int emptyScans;

    Knowledge knowledge() {
        return knowledge;
    }

    void setKnowledge(Knowledge knowledge) {
        this.knowledge = knowledge;
    }

    /** Invalidates the loaded partitions. */
    void invalidate() {
        knowledge = Knowledge.NONE;
        isScanning = false;
    }

    /** Returns true if a scan of recent pushes is in flight. */
    boolean isScanning() {
        return isScanning;
    }

    void setScanning(boolean isScanning) {
        this.isScanning = isScanning;
    }

    /** Returns true if a scan or load is in flight, for which pops may wait. */
    boolean isInFlight() {
        return isScanning || knowledge == Knowledge.LOADING;
    }

    /** Returns the start time of the last scan or poll that looked for pushes of other servers. */
    long lookupAtNs() {
        return lookupAtNs;
    }

    /** Returns the start time of the last such scan or poll that covered all partitions or a long time. */
    long longLookupAtNs() {
        return longLookupAtNs;
    }

    /** @param isLong true if all partitions or a long time were covered */
    void lookedUp(long startedNs, boolean isLong) {
        lookupAtNs = startedNs;
        if (isLong) {
            longLookupAtNs = startedNs;
        }
    }

    /** Returns the start time of the last completed scan or load. */
    long scannedAtNs() {
        return scannedAtNs;
    }

    /** Returns the number of consecutive scans that found no unknown partition. */
    int emptyScans() {
        return emptyScans;
    }

    /** @param hasNews true if the scan found a partition that was unknown to this server */
    void scanned(long startedNs, boolean hasNews) {
        scannedAtNs = startedNs;
        emptyScans = hasNews ? 0 : emptyScans + 1;
    }
}
