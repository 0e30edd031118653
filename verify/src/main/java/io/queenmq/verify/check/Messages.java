package io.queenmq.verify.check;

import java.util.Arrays;

/**
 * The state of each message of a run, by its number. The workload numbers messages from 0 without gaps, so the state is in arrays:
 * 17 bytes per message.
 */
final class Messages {
    static final short PUSHED = 1;
    static final short ACCEPTED = 2;
    static final short REJECTED = 4;
    static final short UNKNOWN = 8;
    static final short BUFFERED = 16;
    static final short STORED = 32;
    static final short DUPLICATE = 64;
    /** A response of a pop contained the message. */
    static final short SEEN = 128;
    /** The message was pushed more than once. */
    static final short RETRIED = 256;
    /** The message was pushed with the transactionId of an earlier message. */
    static final short REUSED = 512;

    /** The audit at the end of the run read it. */
    static final short AUDITED = 1024;

    private short[] flags = new short[1024];
    private byte[] queues = new byte[1024];
    private int[] partitions = new int[1024];
    private int[] offsets = new int[1024];
    private int[] acceptedMs = new int[1024];
    private byte[] copies = new byte[1024];
    private int end;

    private int index(long m) {
        int index = Math.toIntExact(m);
        if (index >= flags.length) {
            int size = Math.max(index + 1, flags.length + flags.length / 2);
            flags = Arrays.copyOf(flags, size);
            partitions = Arrays.copyOf(partitions, size);
            offsets = Arrays.copyOf(offsets, size);
            acceptedMs = Arrays.copyOf(acceptedMs, size);
            queues = Arrays.copyOf(queues, size);
            copies = Arrays.copyOf(copies, size);
        }
        end = Math.max(end, index + 1);
        return index;
    }

    /** Returns the number after the highest one. */
    int end() {
        return end;
    }

    boolean is(long m, int flag) {
        return m >= 0 && m < end && (flags[(int) m] & flag) != 0;
    }

    void set(long m, int flag) {
        int index = index(m);
        flags[index] |= (short) flag;
    }

    void setAccepted(long m, long atMicros) {
        int index = index(m);
        flags[index] |= ACCEPTED;
        if (acceptedMs[index] == 0) {
            acceptedMs[index] = (int) (atMicros / 1_000);
        }
    }

    void setQueue(long m, int number) {
        int index = index(m);
        queues[index] = (byte) number;
    }

    /** Returns the number of the queue that the message was pushed to; -1 if it was not pushed. */
    int queueNumber(long m) {
        return is(m, PUSHED) ? queues[(int) m] : -1;
    }

    /** Returns the time at which the request began that stored the message, in microseconds. */
    long acceptedMicros(long m) {
        return acceptedMs[(int) m] * 1_000L;
    }

    /** Records the position at which the message is stored. */
    void setPosition(long m, Partition partition, long offset) {
        int index = index(m);
        flags[index] |= STORED;
        partitions[index] = partition.number();
        offsets[index] = Math.toIntExact(offset);
    }

    int partitionNumber(long m) {
        return partitions[(int) m];
    }

    int offset(long m) {
        return offsets[(int) m];
    }

    int copies(long m) {
        return copies[(int) m];
    }

    /** Counts an offset at which the message was found, and returns how many there are. */
    int countCopy(long m) {
        int index = index(m);
        if (copies[index] < Byte.MAX_VALUE) {
            copies[index]++;
        }
        return copies[index];
    }
}
