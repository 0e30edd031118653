package io.queenmq.bench;

import java.util.SplittableRandom;

/**
 * A push of a fixed number of messages to one partition. Its bytes are created once; sending overwrites fields of fixed width.
 * The transactionId has the form of a UUID: groups 1, 2 and 5 are partition, producer and sequence number. {@link PartitionOrder}
 * checks them on delivery.
 */
final class PushRequest {
    static final String PATH = "/api/v1/push";
    static final int PARTITION_DIGITS = 5;

    private static final int PAYLOAD_BYTES = 150;
    private static final long NUMBER_BASE = 1_000_000_000L;
    private static final int NUMBER_DIGITS = 10;
    private static final int SENT_DIGITS = 16;
    private static final String TRANSACTION_ID = "00000000-0000-7000-8000-000000000000";
    private static final String PAYLOAD_START = "{\"n\":1000000000,\"sent\":1000000000000000,"
            + "\"kind\":\"order.created\",\"d\":\"";
    private static final String PAYLOAD_END = "\"}";
    private static final int FILLER_BYTES = PAYLOAD_BYTES - PAYLOAD_START.length() - PAYLOAD_END.length();

    /** Letters with high entropy. Each message uses another part, so that payloads do not compress. */
    private static final byte[] FILLER = letters(8 * 1024);

    private final SplittableRandom random = new SplittableRandom();
    private final byte[] bytes;
    private final int itemsAt;
    private final int itemBytes;
    private final int queueAt;
    private final int partitionAt;
    private final int transactionIdAt;
    private final int numberAt;
    private final int sentAt;
    private final int fillerAt;
    private final int count;

    PushRequest(String host, QueueNames queues, int count) {
        this.count = count;
        String queue = queues.name(0);
        String item = "{\"queue\":\"" + queue + "\",\"partition\":\"" + partitionName(0) + "\",\"transactionId\":\""
                + TRANSACTION_ID + "\",\"payload\":" + PAYLOAD_START + "x".repeat(FILLER_BYTES) + PAYLOAD_END + "}";
        String body = "{\"items\":[" + (item + ",").repeat(count - 1) + item + "]}";
        String head = RequestText.postHead(PATH, host);
        bytes = RequestText.ascii(head + body);
        RequestText.decimal(bytes, RequestText.lengthFieldIn(head), RequestText.LENGTH_FIELD.length(), body.length());
        itemsAt = head.length() + body.indexOf(item);
        itemBytes = item.length() + 1;
        queueAt = item.indexOf(queue) + queue.length() - QueueNames.DIGITS;
        partitionAt = item.indexOf(partitionName(0)) + 1;
        transactionIdAt = item.indexOf(TRANSACTION_ID);
        int payloadAt = item.indexOf(PAYLOAD_START);
        numberAt = payloadAt + PAYLOAD_START.indexOf("1000000000");
        sentAt = payloadAt + PAYLOAD_START.indexOf("1000000000000000");
        fillerAt = payloadAt + PAYLOAD_START.length();
    }

    static String partitionName(int partition) {
        return "p" + String.format("%0" + PARTITION_DIGITS + "d", partition);
    }

    /** Writes messages with consecutive sequence numbers, sent now. */
    void write(int queue, int partition, int stream, int producer, long firstSequence) {
        long sentMicros = SendTime.nowMicros();
        for (int i = 0; i < count; i++) {
            int item = itemsAt + i * itemBytes;
            long sequence = firstSequence + i;
            RequestText.decimal(bytes, item + queueAt, QueueNames.DIGITS, queue);
            RequestText.decimal(bytes, item + partitionAt, PARTITION_DIGITS, partition);
            RequestText.hex(bytes, item + transactionIdAt, 8, stream);
            RequestText.hex(bytes, item + transactionIdAt + 9, 4, producer);
            RequestText.hex(bytes, item + transactionIdAt + 24, 12, sequence);
            RequestText.decimal(bytes, item + numberAt, NUMBER_DIGITS, NUMBER_BASE + sequence);
            RequestText.decimal(bytes, item + sentAt, SENT_DIGITS, sentMicros);
            int piece = random.nextInt(FILLER.length - FILLER_BYTES);
            System.arraycopy(FILLER, piece, bytes, item + fillerAt, FILLER_BYTES);
        }
    }

    int count() {
        return count;
    }

    void sendOn(Connection connection) {
        connection.send(bytes, bytes.length);
    }

    private static byte[] letters(int length) {
        String alphabet = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
        SplittableRandom random = new SplittableRandom();
        byte[] letters = new byte[length];
        for (int i = 0; i < length; i++) {
            letters[i] = (byte) alphabet.charAt(random.nextInt(alphabet.length()));
        }
        return letters;
    }
}
