package io.queenmq.server.numbers;

/** What was counted since the last report, of one queue or of the whole server. Owned by the engine loop. */
final class Counts {
    /** Their number, and the places of those that are not added up but compared. */
    static final int SIZE = 14;
    static final int LAG_MAX = 12;
    static final int PARKED = 13;

    long pushRequests;
    long pushMessages;
    long popRequests;
    long popMessages;
    long popEmpty;
    long ackRequests;
    long ackSuccess;
    long ackFailed;
    long transactions;
    long deadLetters;
    long lanesCreated;
    long lagSumMs;
    long lagMaxMs;
    long parked;

    void pushed(int messages, boolean isNewLane) {
        pushMessages += messages;
        if (isNewLane) {
            lanesCreated++;
        }
    }

    void popped(int messages, long lagMs) {
        popMessages += messages;
        lagSumMs += messages * lagMs;
        lagMaxMs = Math.max(lagMaxMs, lagMs);
    }

    void acked(int success, int failed, int dead) {
        ackSuccess += success;
        ackFailed += failed;
        deadLetters += dead;
    }

    /** What was counted, in the order of the columns of the buckets; counting begins again at zero. */
    long[] take() {
        long[] taken = {pushRequests, pushMessages, popRequests, popMessages, popEmpty, ackRequests, ackSuccess,
            ackFailed, transactions, deadLetters, lanesCreated, lagSumMs, lagMaxMs, parked};
        pushRequests = 0;
        pushMessages = 0;
        popRequests = 0;
        popMessages = 0;
        popEmpty = 0;
        ackRequests = 0;
        ackSuccess = 0;
        ackFailed = 0;
        transactions = 0;
        deadLetters = 0;
        lanesCreated = 0;
        lagSumMs = 0;
        lagMaxMs = 0;
        parked = 0;
        return taken;
    }

    /** Both together, as if they had been counted in one place. */
    static long[] sum(long[] one, long[] other) {
        long[] sum = new long[SIZE];
        for (int i = 0; i < SIZE; i++) {
            sum[i] = i == LAG_MAX || i == PARKED ? Math.max(one[i], other[i]) : one[i] + other[i];
        }
        return sum;
    }
}
