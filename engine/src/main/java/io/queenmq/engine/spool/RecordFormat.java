package io.queenmq.engine.spool;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * The format of entries in a file, one after the other:
 *
 * <pre>
 * head  FF 'Q' 'S' version · length of the body (4) · CRC-32C of these eight bytes (4) · CRC-32C of the body (4)
 * body  sequence (8) · accepted at (8) · accepted at by PostgreSQL's clock (8) · attempted at offset (8) · queue id (16) ·
 *       message id (16) · queue, partition, transactionId, reason (2 for the length, then UTF-8) · line (the rest)
 * </pre>
 *
 * Version 1 is read and not written. It has no time by PostgreSQL's clock and no attempted offset.
 *
 * <p>A head has a checksum of its own, so that a damaged body does not hide the records after it. It begins with a byte
 * that no text contains, so that a search for the next head finds none in a payload.
 */
final class RecordFormat {
    static final int HEAD_BYTES = 16;
    static final byte VERSION = 2;

    private static final byte MARK = (byte) 0xff;
    private static final byte VERSION_1 = 1;
    private static final int FIXED_BYTES_1 = 8 + 8 + 16 + 16 + 4 * 2;
    private static final int FIXED_BYTES = FIXED_BYTES_1 + 8 + 8;
    private static final UUID NONE = new UUID(0, 0);

    private RecordFormat() {}

    /** Receives the records of a file, from its beginning to its end. */
    interface Visitor {
        void record(SpoolEntry.Numbered record, int from, int to) throws IOException;

        /** Called for bytes that are not a valid record. */
        void damage(int from, int to) throws IOException;
    }

    /** Returns the size of the entry in a file. */
    static int sizeOf(SpoolEntry entry) {
        return HEAD_BYTES + FIXED_BYTES + utf8(entry.queue()).length + utf8(entry.partition()).length
                + utf8(entry.transactionId()).length + utf8(entry.reason()).length + entry.line().length;
    }

    static byte[] encode(long sequence, SpoolEntry entry) {
        byte[][] texts = {utf8(entry.queue()), utf8(entry.partition()), utf8(entry.transactionId()),
            utf8(entry.reason())};
        int length = FIXED_BYTES + entry.line().length;
        for (byte[] text : texts) {
            length += text.length;
        }
        ByteBuffer bytes = ByteBuffer.allocate(HEAD_BYTES + length);
        bytes.put(MARK).put((byte) 'Q').put((byte) 'S').put(VERSION).putInt(length);
        bytes.putInt(checksum(bytes.array(), 0, 8));
        bytes.position(HEAD_BYTES);
        bytes.putLong(sequence).putLong(entry.acceptedAtMicros()).putLong(entry.databaseMicros())
                .putLong(entry.attemptBase());
        put(bytes, entry.queueId() == null ? NONE : entry.queueId());
        put(bytes, entry.messageId());
        for (byte[] text : texts) {
            bytes.putShort((short) text.length).put(text);
        }
        bytes.put(entry.line());
        bytes.putInt(12, checksum(bytes.array(), HEAD_BYTES, length));
        return bytes.array();
    }

    /**
     * Scans the bytes of a file. After damaged bytes it continues with the next valid record.
     *
     * @param length the number of bytes to scan
     * @throws IOException if a record has a version that this release does not support
     */
    static void scan(byte[] bytes, int length, Visitor visitor) throws IOException {
        int at = 0;
        while (at < length) {
            int end = endOf(bytes, length, at);
            if (end < 0) {
                int next = nextHead(bytes, length, at + 1);
                visitor.damage(at, next);
                at = next;
            } else if (checksum(bytes, at + HEAD_BYTES, end - at - HEAD_BYTES) != intAt(bytes, at + 12)) {
                visitor.damage(at, end);
                at = end;
            } else {
                visitor.record(decode(bytes, at, end), at, end);
                at = end;
            }
        }
    }

    /** Returns the end of the record at this position; -1 if there is no head, or the file ends before the record. */
    private static int endOf(byte[] bytes, int limit, int at) throws IOException {
        if (limit - at < HEAD_BYTES || !isHead(bytes, at)) {
            return -1;
        }
        if (bytes[at + 3] != VERSION && bytes[at + 3] != VERSION_1) {
            throw new IOException("the spool was written by another release; unsupported version " + bytes[at + 3]);
        }
        int length = intAt(bytes, at + 4);
        return length >= (bytes[at + 3] == VERSION_1 ? FIXED_BYTES_1 : FIXED_BYTES) && length <= limit - at - HEAD_BYTES
                ? at + HEAD_BYTES + length
                : -1;
    }

    private static int nextHead(byte[] bytes, int limit, int from) throws IOException {
        int at = from;
        while (at < limit && endOf(bytes, limit, at) < 0) {
            at++;
        }
        return at;
    }

    private static boolean isHead(byte[] bytes, int at) {
        return bytes[at] == MARK && bytes[at + 1] == 'Q' && bytes[at + 2] == 'S'
                && checksum(bytes, at, 8) == intAt(bytes, at + 8);
    }

    private static SpoolEntry.Numbered decode(byte[] bytes, int head, int to) {
        boolean isVersion1 = bytes[head + 3] == VERSION_1;
        int from = head + HEAD_BYTES;
        ByteBuffer body = ByteBuffer.wrap(bytes, from, to - from);
        long sequence = body.getLong();
        long acceptedAt = body.getLong();
        long databaseAt = isVersion1 ? acceptedAt : body.getLong();
        long attemptBase = isVersion1 ? SpoolEntry.ANYWHERE : body.getLong();
        UUID queueId = uuid(body);
        UUID messageId = uuid(body);
        String queue = text(body);
        String partition = text(body);
        String transactionId = text(body);
        String reason = text(body);
        byte[] line = new byte[body.remaining()];
        body.get(line);
        return new SpoolEntry.Numbered(sequence, new SpoolEntry(queueId.equals(NONE) ? null : queueId, queue, partition,
                messageId, transactionId, acceptedAt, databaseAt, attemptBase, reason, line));
    }

    private static int checksum(byte[] bytes, int from, int length) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes, from, length);
        return (int) checksum.getValue();
    }

    private static int intAt(byte[] bytes, int at) {
        return ByteBuffer.wrap(bytes).getInt(at);
    }

    private static void put(ByteBuffer bytes, UUID id) {
        bytes.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
    }

    private static UUID uuid(ByteBuffer bytes) {
        return new UUID(bytes.getLong(), bytes.getLong());
    }

    private static String text(ByteBuffer bytes) {
        byte[] text = new byte[Short.toUnsignedInt(bytes.getShort())];
        bytes.get(text);
        return new String(text, StandardCharsets.UTF_8);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
