package io.queenmq.bench;

import java.util.Arrays;

/** A reusable ack request for many messages. Ids are copied from the pop response. */
final class AckRequest {
    static final String PATH = "/api/v1/ack/batch";

    private static final int START_BYTES = 32 * 1024;
    private static final byte[] TRANSACTION_ID = RequestText.ascii("{\"transactionId\":\"");
    private static final byte[] PARTITION_ID = RequestText.ascii("\",\"partitionId\":\"");
    private static final byte[] LEASE_ID = RequestText.ascii("\",\"leaseId\":\"");
    private static final byte[] STATUS = RequestText.ascii("\",\"status\":\"completed\"}");
    private static final byte[] END = RequestText.ascii("]}");

    private final int headBytes;
    private final int lengthAt;
    private final int start;
    private byte[] bytes;
    private int length;
    private int count;

    AckRequest(String host) {
        String head = RequestText.postHead(PATH, host);
        byte[] begin = RequestText.ascii(head + "{\"acknowledgments\":[");
        headBytes = head.length();
        lengthAt = RequestText.lengthFieldIn(head);
        start = begin.length;
        bytes = Arrays.copyOf(begin, START_BYTES);
    }

    void clear() {
        length = start;
        count = 0;
    }

    void add(byte[] from, int transactionIdAt, int transactionIdBytes, int partitionIdAt, int partitionIdBytes,
            int leaseIdAt, int leaseIdBytes) {
        if (count++ > 0) {
            append(new byte[]{','}, 0, 1);
        }
        append(TRANSACTION_ID, 0, TRANSACTION_ID.length);
        append(from, transactionIdAt, transactionIdBytes);
        append(PARTITION_ID, 0, PARTITION_ID.length);
        append(from, partitionIdAt, partitionIdBytes);
        append(LEASE_ID, 0, LEASE_ID.length);
        append(from, leaseIdAt, leaseIdBytes);
        append(STATUS, 0, STATUS.length);
    }

    int count() {
        return count;
    }

    void sendOn(Connection connection) {
        append(END, 0, END.length);
        RequestText.decimal(bytes, lengthAt, RequestText.LENGTH_FIELD.length(), length - headBytes);
        connection.send(bytes, length);
    }

    private void append(byte[] from, int at, int more) {
        if (length + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(length + more, bytes.length * 2));
        }
        System.arraycopy(from, at, bytes, length, more);
        length += more;
    }
}
