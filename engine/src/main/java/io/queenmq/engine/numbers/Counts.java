package io.queenmq.engine.numbers;

import java.util.Arrays;

/** The counts of one queue, or of the whole server, since the last report. Owned by the engine loop. */
final class Counts {
    /** The number of counts, and the positions of those that are combined by their maximum instead of their sum. */
    static final int SIZE = 13;
    static final int LAG_MAX = 11;
    static final int WAITING_POPS = 12;
    private static final int REASONS = PushRefusal.values().length;

    long pushRequests;
    long pushMessages;
    long popRequests;
    long popMessages;
    long popEmpty;
    long ackRequests;
    long ackSuccess;
    long ackFailed;
    long transactions;
    long partitionsCreated;
    long lagSumMs;
    long lagMaxMs;
    long waitingPops;
    private final long[] refused = new long[REASONS];

    void pushed(int messages, boolean isNewPartition) {
        pushMessages += messages;
        if (isNewPartition) {
            partitionsCreated++;
        }
    }

    void popped(int messages, long lagMs) {
        popMessages += messages;
        lagSumMs += messages * lagMs;
        lagMaxMs = Math.max(lagMaxMs, lagMs);
    }

    void acked(int success, int failed) {
        ackSuccess += success;
        ackFailed += failed;
    }

    void refused(PushRefusal reason) {
        refused[reason.ordinal()]++;
    }

    /**
     * Returns the counts in the order of the arguments of report_numbers, followed by the refused pushes by reason.
     * Resets all counts to zero.
     */
    long[] take() {
        long[] taken = Arrays.copyOf(new long[]{pushRequests, pushMessages, popRequests, popMessages, popEmpty,
            ackRequests, ackSuccess, ackFailed, transactions, partitionsCreated, lagSumMs, lagMaxMs, waitingPops},
                SIZE + REASONS);
        System.arraycopy(refused, 0, taken, SIZE, REASONS);
        Arrays.fill(refused, 0);
        pushRequests = 0;
        pushMessages = 0;
        popRequests = 0;
        popMessages = 0;
        popEmpty = 0;
        ackRequests = 0;
        ackSuccess = 0;
        ackFailed = 0;
        transactions = 0;
        partitionsCreated = 0;
        lagSumMs = 0;
        lagMaxMs = 0;
        waitingPops = 0;
        return taken;
    }

    /** Returns the number of pushes that were refused for this reason, from the result of {@link #take}. */
    static long refused(long[] taken, PushRefusal reason) {
        return taken[SIZE + reason.ordinal()];
    }

    /** Combines two results of {@link #take}. */
    static long[] sum(long[] one, long[] other) {
        long[] sum = new long[one.length];
        for (int i = 0; i < one.length; i++) {
            sum[i] = i == LAG_MAX || i == WAITING_POPS ? Math.max(one[i], other[i]) : one[i] + other[i];
        }
        return sum;
    }
}
