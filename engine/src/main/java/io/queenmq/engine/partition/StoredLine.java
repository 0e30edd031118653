package io.queenmq.engine.partition;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;

/**
 * Reads the stored form of a message by position. It is a line of JSON that always begins
 * <code>{"id":"…36 characters…","transactionId":"…","traceId":…,"producerSub":…,"data":</code>, or with
 * <code>,"headers":{"…":"…", "…":"…"}</code> before the last of these.
 */
public final class StoredLine {
    private static final int ID_START = "{\"id\":\"".length();
    private static final int ID_END = ID_START + 36;
    private static final int TRANSACTION_START = ID_END + "\",\"transactionId\":\"".length();
    private static final int TRACE_GAP = "\",\"traceId\":".length();
    private static final int PRODUCER_GAP = ",\"producerSub\":".length();
    private static final int DATA_GAP = ",\"data\":".length();
    private static final int HEADERS_GAP = ",\"headers\":".length();
    /** The third character of the next field identifies it. */
    private static final int FIELD_INITIAL = ",\"".length();
    private static final int NULL = "null".length();

    private StoredLine() {}

    public static UUID messageId(byte[] body, int lineStart) {
        return UUID.fromString(new String(body, lineStart + ID_START, 36, StandardCharsets.US_ASCII));
    }

    /** Returns the line of the same message with another id, including its line break. */
    public static byte[] withMessageId(byte[] line, UUID id) {
        byte[] renamed = Arrays.copyOf(line, line.length + 1);
        System.arraycopy(id.toString().getBytes(StandardCharsets.US_ASCII), 0, renamed, ID_START, 36);
        renamed[line.length] = '\n';
        return renamed;
    }

    /**
     * Returns true if both lines have the same transactionId. Both were escaped by the same rules, so their bytes are compared.
     */
    public static boolean isSameTransaction(byte[] body, int lineStart, byte[] otherBody, int otherLineStart) {
        int start = lineStart + TRANSACTION_START;
        int otherStart = otherLineStart + TRANSACTION_START;
        return Arrays.equals(body, start, stringEnd(body, start), otherBody, otherStart,
                stringEnd(otherBody, otherStart));
    }

    /** Returns the position at which the payload begins. */
    public static int dataStart(byte[] body, int lineStart) {
        int trace = stringEnd(body, lineStart + TRANSACTION_START) + TRACE_GAP;
        int producer = stringOrNullEnd(body, trace) + PRODUCER_GAP;
        int end = stringOrNullEnd(body, producer);
        return (body[end + FIELD_INITIAL] == 'h' ? headersEnd(body, end + HEADERS_GAP) : end) + DATA_GAP;
    }

    /** Returns the position after the closing brace of the headers. The headers contain only strings. */
    private static int headersEnd(byte[] body, int start) {
        int at = start + 1;
        while (body[at] != '}') {
            at = body[at] == '"' ? stringEnd(body, at + 1) + 1 : at + 1;
        }
        return at + 1;
    }

    private static int stringOrNullEnd(byte[] body, int start) {
        return body[start] == '"' ? stringEnd(body, start + 1) + 1 : start + NULL;
    }

    private static int stringEnd(byte[] body, int start) {
        int at = start;
        while (body[at] != '"') {
            at += body[at] == '\\' ? 2 : 1;
        }
        return at;
    }
}
