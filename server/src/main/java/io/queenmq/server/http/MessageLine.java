package io.queenmq.server.http;

import java.util.UUID;

/**
 * Writes the line a message is stored as. Its shape is exact, because the view {@code queen.message} and the engine
 * read it by position: always these five keys, in this order, without spaces, and one line break at the end.
 */
final class MessageLine {
    private final JsonBuffer buffer = new JsonBuffer();

    /**
     * @param producerSub who pushes; null when they need not say
     * @param payload the bytes from start to end are the payload as it was received
     */
    byte[] of(UUID id, String transactionId, String traceId, String producerSub, byte[] payload, int start, int end) {
        buffer.clear().raw("{\"id\":").uuid(id).raw(",\"transactionId\":").string(transactionId);
        buffer.raw(",\"traceId\":").stringOrNull(traceId).raw(",\"producerSub\":").stringOrNull(producerSub)
                .raw(",\"data\":");
        int dataStart = buffer.length();
        buffer.raw(payload, start, end);
        joinLines(buffer.bytes(), dataStart, buffer.length());
        return buffer.raw("}\n").copy();
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
