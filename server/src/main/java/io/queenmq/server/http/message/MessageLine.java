package io.queenmq.server.http.message;

import io.queenmq.server.http.json.JsonBuffer;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Writes the line in which a message is stored. Its form is exact, because the view {@code queen.message} and the engine
 * read it by position: always these five keys, in this order, without spaces, and one line break at the end. A message with
 * headers has a sixth key before its payload.
 */
final class MessageLine {
    private final JsonBuffer buffer = new JsonBuffer();

    /**
     * @param producerSub subject of the producer; null if it has none
     * @param headers the result of {@link HeadersReader}; null for none
     * @param payload the bytes from start to end are the payload as it was received
     */
    byte[] of(UUID id, String transactionId, @Nullable String traceId, @Nullable String producerSub,
            byte @Nullable [] headers, byte[] payload, int start, int end) {
        buffer.clear().raw("{\"id\":").uuid(id).raw(",\"transactionId\":").string(transactionId);
        buffer.raw(",\"traceId\":").stringOrNull(traceId).raw(",\"producerSub\":").stringOrNull(producerSub);
        if (headers != null) {
            buffer.raw(",\"headers\":").raw(headers, 0, headers.length);
        }
        buffer.raw(",\"data\":");
        int head = buffer.length();
        int tail = head + end - start;
        // The payload may be large, so it is copied once, to its final place.
        byte[] line = new byte[tail + 2];
        System.arraycopy(buffer.bytes(), 0, line, 0, head);
        System.arraycopy(payload, start, line, head, end - start);
        joinLines(line, head, tail);
        line[tail] = '}';
        line[tail + 1] = '\n';
        return line;
    }

    /** Replaces line breaks by spaces. JSON strings contain no raw line breaks, so all of them are between tokens. */
    private static void joinLines(byte[] bytes, int start, int end) {
        for (int i = start; i < end; i++) {
            if (bytes[i] == '\n' || bytes[i] == '\r') {
                bytes[i] = ' ';
            }
        }
    }
}
