package io.queenmq.server.http;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.Arrays;
import java.util.function.Consumer;

/** Gathers the body of one request, up to a bound. */
final class BodyReader {
    private static final int START_BYTES_MAX = 64 * 1024;
    private static final byte[] EMPTY = {};

    private final int bytesMax;
    private final Consumer<byte[]> onBody;
    private final Runnable onTooLarge;
    private byte[] bytes = EMPTY;
    private int length;
    private boolean isTooLarge;

    private BodyReader(int bytesMax, Consumer<byte[]> onBody, Runnable onTooLarge) {
        this.bytesMax = bytesMax;
        this.onBody = onBody;
        this.onTooLarge = onTooLarge;
    }

    /** Calls one of the two once; neither when the client hangs up in between. */
    static void read(HttpServerRequest request, int bytesMax, Consumer<byte[]> onBody, Runnable onTooLarge) {
        BodyReader reader = new BodyReader(bytesMax, onBody, onTooLarge);
        long announced = announced(request);
        if (announced > bytesMax) {
            reader.refuse();
        } else if (announced > 0) {
            // The announcement is believed only so far: a header alone must not cost much memory.
            reader.bytes = new byte[(int) Math.min(announced, START_BYTES_MAX)];
        }
        request.handler(reader::onChunk);
        request.endHandler(_ -> reader.onEnd());
    }

    private static long announced(HttpServerRequest request) {
        String header = request.headers().get(HttpHeaders.CONTENT_LENGTH);
        try {
            return header == null ? 0 : Long.parseLong(header);
        } catch (NumberFormatException _) {
            return Long.MAX_VALUE;
        }
    }

    private void onChunk(Buffer chunk) {
        int more = chunk.length();
        if (isTooLarge) {
            return;
        }
        if (more > bytesMax - length) {
            refuse();
            return;
        }
        if (more > bytes.length - length) {
            bytes = Arrays.copyOf(bytes, (int) Math.min(bytesMax, Math.max(length + more, bytes.length * 2L)));
        }
        chunk.getBytes(bytes, length);
        length += more;
    }

    private void refuse() {
        isTooLarge = true;
        bytes = EMPTY;
        onTooLarge.run();
    }

    private void onEnd() {
        if (!isTooLarge) {
            onBody.accept(length == bytes.length ? bytes : Arrays.copyOf(bytes, length));
        }
    }
}
