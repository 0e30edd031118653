package io.queenmq.verify.check;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The state of a group in a partition: what it was delivered and what it finished, six bytes per offset, and its last lease. */
final class GroupPartition {
    static final byte DELIVERED = 1;
    static final byte FINISHED = 2;
    /** An ack was sent, and its outcome is unknown. */
    static final byte PERHAPS_FINISHED = 4;
    static final byte DEAD = 8;
    /** A negative ack was confirmed since the last delivery. */
    static final byte FAILED = 16;

    private static final byte SETTLED = FINISHED | PERHAPS_FINISHED | DEAD;

    private final Partition partition;
    private final String group;
    private byte[] flags = new byte[0];
    private byte[] attempts = new byte[0];
    /** The time of the last delivery; of the first ack that finished the message, if there is one. */
    private int[] changedMs = new int[0];
    private int low;
    private @Nullable Holding holding;
    /** The last time that a request of this run moved the cursor; -1 if there was none. */
    private long movedAt = -1;

    GroupPartition(Partition partition, String group) {
        this.partition = partition;
        this.group = group;
    }

    Partition partition() {
        return partition;
    }

    String group() {
        return group;
    }

    private int index(long offset) {
        int index = Math.toIntExact(offset);
        if (index >= flags.length) {
            int size = Math.max(index + 1, flags.length + flags.length / 2 + 8);
            flags = Arrays.copyOf(flags, size);
            attempts = Arrays.copyOf(attempts, size);
            changedMs = Arrays.copyOf(changedMs, size);
        }
        return index;
    }

    boolean is(long offset, byte flag) {
        return offset < flags.length && (flags[(int) offset] & flag) != 0;
    }

    /** Returns true if the message is finished, dead, or an ack for it has an unknown outcome. */
    boolean isSettled(long offset) {
        return is(offset, SETTLED);
    }

    void set(long offset, byte flag) {
        int index = index(offset);
        flags[index] |= flag;
    }

    void clear(long offset, byte flag) {
        int index = index(offset);
        flags[index] &= (byte) ~flag;
    }

    void setFinished(long offset, long atMicros) {
        int index = index(offset);
        if ((flags[index] & FINISHED) == 0) {
            flags[index] |= FINISHED;
            changedMs[index] = (int) (atMicros / 1_000) + 1;
        }
    }

    /** Returns the time of the response that confirmed the ack, rounded up. */
    long finishedMicros(long offset) {
        return changedMs[(int) offset] * 1_000L;
    }

    /** Records a delivery whose pop began at this time. */
    void setDelivered(long offset, long atMicros) {
        int index = index(offset);
        flags[index] |= DELIVERED;
        flags[index] &= ~FAILED;
        if ((flags[index] & FINISHED) == 0) {
            changedMs[index] = (int) (atMicros / 1_000);
        }
    }

    /** Returns the time of the last delivery of an unfinished message. */
    long deliveredMicros(long offset) {
        return offset < changedMs.length ? changedMs[(int) offset] * 1_000L : 0;
    }

    int attempt(long offset) {
        return offset < attempts.length ? attempts[(int) offset] : 0;
    }

    void setAttempt(long offset, int attempt) {
        int index = index(offset);
        attempts[index] = (byte) Math.min(attempt, Byte.MAX_VALUE);
    }

    /** Returns the first offset that is not settled. */
    int low() {
        while (isSettled(low)) {
            low++;
        }
        return low;
    }

    /** Forgets the state of one message: another message has its offset. */
    void forget(long offset) {
        if (offset < flags.length) {
            flags[(int) offset] = 0;
            attempts[(int) offset] = 0;
            low = Math.min(low, (int) offset);
        }
    }

    /** Forgets what was finished: the cursor of the group was moved by a request. */
    void reset(long atMicros) {
        Arrays.fill(flags, (byte) 0);
        Arrays.fill(attempts, (byte) 0);
        low = 0;
        movedAt = atMicros;
        holding = null;
    }

    long movedAt() {
        return movedAt;
    }

    @Nullable
    Holding holding() {
        return holding;
    }

    void setHolding(@Nullable Holding holding) {
        this.holding = holding;
    }

    /** A lease of the group, as its consumer saw it. */
    static final class Holding {
        private final String lease;
        private final long line;
        /** From this time on the consumer has the lease. */
        private final long from;
        /** Before this time the lease cannot have expired. */
        private long until;
        /** After this time the lease has expired. */
        private long latest;
        private final int first;
        private final int end;

        Holding(String lease, long line, long from, long until, long latest, int first, int end) {
            this.lease = lease;
            this.line = line;
            this.from = from;
            this.until = until;
            this.latest = latest;
            this.first = first;
            this.end = end;
        }

        String lease() {
            return lease;
        }

        long line() {
            return line;
        }

        long from() {
            return from;
        }

        long until() {
            return until;
        }

        long latest() {
            return latest;
        }

        void extendTo(long certain, long possible) {
            until = Math.max(until, certain);
            latest = Math.max(latest, possible);
        }

        /** A request that may end the lease began. */
        void endAt(long micros) {
            until = Math.min(until, micros);
        }

        boolean contains(long offset) {
            return offset >= first && offset < end;
        }
    }
}
