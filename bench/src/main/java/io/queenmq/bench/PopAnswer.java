package io.queenmq.bench;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The positions of ids in a pop response. Nothing is copied, and the object is reused. */
final class PopAnswer {
    private static final byte[] MESSAGES = ascii("messages");
    private static final byte[] TRANSACTION_ID = ascii("transactionId");
    private static final byte[] PARTITION_ID = ascii("partitionId");
    private static final byte[] LEASE_ID = ascii("leaseId");
    private static final byte[] SENT = ascii("sent");
    private static final int LIST_DEPTH = 2;
    private static final int MESSAGE_DEPTH = 3;
    private static final int PAYLOAD_DEPTH = 4;
    private static final int DEPTH_MAX = 62;
    private static final int TRANSACTION_ID_BYTES = 36;

    private byte[] bytes = {};
    private Message[] messages = new Message[0];
    private int count;
    private int depth;
    private long objects;
    private boolean isInMessages;
    private boolean isKeyNext;
    private int keyStart;
    private int keyEnd;

    /** Parses the response. Returns false if it is invalid; it has no messages then. */
    boolean read(HttpAnswer answer) {
        return read(answer.bytes(), answer.bodyStart(), answer.bodyEnd());
    }

    boolean read(byte[] body, int from, int to) {
        bytes = body;
        count = 0;
        depth = 0;
        objects = 0;
        isInMessages = false;
        isKeyNext = false;
        int at = from;
        while (at >= 0 && at < to) {
            at = step(at, to);
        }
        if (at != to || depth != 0) {
            count = 0;
            return false;
        }
        return true;
    }

    int count() {
        return count;
    }

    /** Returns a message, which is valid until the next response is read. */
    Message message(int index) {
        return messages[index];
    }

    /** Returns the next position, or -1 if this is not JSON. */
    private int step(int at, int to) {
        return switch (bytes[at]) {
            case '"' -> string(at + 1, to);
            case '{' -> open(at, true);
            case '[' -> open(at, false);
            case '}', ']' -> close(at);
            case ',' -> {
                isKeyNext = (objects >>> depth & 1) == 1;
                yield at + 1;
            }
            case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> number(at, to);
            default -> at + 1;
        };
    }

    private int open(int at, boolean isObject) {
        depth++;
        if (depth > DEPTH_MAX) {
            return -1;
        }
        objects = isObject ? objects | 1L << depth : objects & ~(1L << depth);
        if (depth == LIST_DEPTH) {
            isInMessages = !isObject && keyIs(MESSAGES);
        } else if (depth == MESSAGE_DEPTH && isInMessages && isObject) {
            begin();
        }
        isKeyNext = isObject;
        return at + 1;
    }

    private int close(int at) {
        if (depth == LIST_DEPTH) {
            isInMessages = false;
        }
        depth--;
        return depth < 0 ? -1 : at + 1;
    }

    private int string(int start, int to) {
        int end = start;
        while (end < to && bytes[end] != '"') {
            end += bytes[end] == '\\' ? 2 : 1;
        }
        if (end >= to) {
            return -1;
        }
        if (isKeyNext) {
            keyStart = start;
            keyEnd = end;
            isKeyNext = false;
        } else if (depth == MESSAGE_DEPTH && isInMessages) {
            value(messages[count - 1], start, end);
        }
        return end + 1;
    }

    private void value(Message message, int start, int end) {
        if (keyIs(TRANSACTION_ID)) {
            message.transactionIdAt = start;
            message.transactionIdBytes = end - start;
        } else if (keyIs(PARTITION_ID)) {
            message.partitionIdAt = start;
            message.partitionIdBytes = end - start;
        } else if (keyIs(LEASE_ID)) {
            message.leaseIdAt = start;
            message.leaseIdBytes = end - start;
        }
    }

    private int number(int start, int to) {
        int at = start;
        long value = 0;
        for (; at < to && bytes[at] >= '0' && bytes[at] <= '9'; at++) {
            value = value * 10 + bytes[at] - '0';
        }
        if (depth == PAYLOAD_DEPTH && isInMessages && keyIs(SENT)) {
            messages[count - 1].sentMicros = value;
        }
        return at;
    }

    private void begin() {
        if (count == messages.length) {
            messages = Arrays.copyOf(messages, Math.max(128, count * 2));
            for (int i = count; i < messages.length; i++) {
                messages[i] = new Message();
            }
        }
        messages[count++].clear();
    }

    private boolean keyIs(byte[] name) {
        return Arrays.equals(bytes, keyStart, keyEnd, name, 0, name.length);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** A message. Missing fields have a length of zero. */
    final class Message {
        private int transactionIdAt;
        private int transactionIdBytes;
        private int partitionIdAt;
        private int partitionIdBytes;
        private int leaseIdAt;
        private int leaseIdBytes;
        private long sentMicros;

        private void clear() {
            transactionIdBytes = 0;
            partitionIdBytes = 0;
            leaseIdBytes = 0;
            sentMicros = 0;
        }

        /** Returns true if the transactionId has the form of {@link PushRequest}. */
        boolean isOurs() {
            return transactionIdBytes == TRANSACTION_ID_BYTES && stream() >= 0 && producer() >= 0 && sequence() >= 0;
        }

        int stream() {
            return (int) hex(0, 8);
        }

        int producer() {
            return (int) hex(9, 4);
        }

        long sequence() {
            return hex(24, 12);
        }

        /** Returns the {@link SendTime} of the push. */
        long sentMicros() {
            return sentMicros;
        }

        /** Adds the message to an ack. */
        void appendTo(AckRequest ack) {
            ack.add(bytes, transactionIdAt, transactionIdBytes, partitionIdAt, partitionIdBytes, leaseIdAt,
                    leaseIdBytes);
        }

        private long hex(int from, int width) {
            long value = 0;
            for (int i = transactionIdAt + from; i < transactionIdAt + from + width; i++) {
                int digit = Character.digit(bytes[i], 16);
                if (digit < 0) {
                    return -1;
                }
                value = value << 4 | digit;
            }
            return value;
        }
    }
}
