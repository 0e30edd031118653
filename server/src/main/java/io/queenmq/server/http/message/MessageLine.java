package io.queenmq.server.http.message;

import io.queenmq.server.http.json.JsonBuffer;
import java.util.UUID;

/**
 * Writes the line a message is stored as. Its shape is exact, because the view {@code queen.message} and the engine
 * read it by position: always these five keys, in this order, without spaces, and one line break at the end. Only a message
 * with headers has a sixth one, before its payload.
 */
final class MessageLine {
    private final JsonBuffer buffer = new JsonBuffer();

    /**
     * @param producerSub who pushes; null when they need not say
     * @param headers as {@link HeadersReader} has written them; null for none
     * @param payload the bytes from start to end are the payload as it was received
     */
    byte[] of(UUID id, String transactionId, String traceId, String producerSub, byte[] headers, byte[] payload,
            int start, int end) {
        buffer.clear().raw("{\"id\":").uuid(id).raw(",\"transactionId\":").string(transactionId);
        buffer.raw(",\"traceId\":").stringOrNull(traceId).raw(",\"producerSub\":").stringOrNull(producerSub);
        if (headers != null) {
            buffer.raw(",\"headers\":").raw(headers, 0, headers.length);
        }
        buffer.raw(",\"data\":");
        int head = buffer.length();
        int tail = head + end - start;
        // The payload is copied once, straight to where it stays: it may be large.
        byte[] line = new byte[tail + 2];
        System.arraycopy(buffer.bytes(), 0, line, 0, head);
        System.arraycopy(payload, start, line, head, end - start);
        joinLines(line, head, tail);
        line[tail] = '}';
        line[tail + 1] = '\n';
        return line;
    }

    /** Inside strings JSON has no raw line breaks, so these are between tokens and mean no more than a space. */
    private static void joinLines(byte[] bytes, int start, int end) {
        for (int i = start; i < end; i++) {
            if (bytes[i] == '\n' || bytes[i] == '\r') {
                bytes[i] = ' ';
            }
        }
    }
}
