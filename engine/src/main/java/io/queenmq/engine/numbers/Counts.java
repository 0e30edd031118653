package io.queenmq.engine.numbers;

import java.util.Arrays;

/** What was counted since the last report, of one queue or of the whole server. Owned by the engine loop. */
final class Counts {
    /** Their number, and the places of those that are not added up but compared. */
    static final int SIZE = 13;
    static final int LAG_MAX = 11;
    static final int PARKED = 12;
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
    long parked;
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
     * What was counted, in the order of the arguments of report_numbers, and behind that the refused pushes by reason;
     * counting begins again at zero.
     */
    long[] take() {
        long[] taken = Arrays.copyOf(new long[]{pushRequests, pushMessages, popRequests, popMessages, popEmpty,
            ackRequests, ackSuccess, ackFailed, transactions, partitionsCreated, lagSumMs, lagMaxMs, parked},
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
        parked = 0;
        return taken;
    }

    /** How many pushes were refused for this reason, of what was taken. */
    static long refused(long[] taken, PushRefusal reason) {
        return taken[SIZE + reason.ordinal()];
    }

    /** Both together, as if they had been counted in one place. */
    static long[] sum(long[] one, long[] other) {
        long[] sum = new long[one.length];
        for (int i = 0; i < one.length; i++) {
            sum[i] = i == LAG_MAX || i == PARKED ? Math.max(one[i], other[i]) : one[i] + other[i];
        }
        return sum;
    }
}
