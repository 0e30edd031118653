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

    private final HttpServerRequest request;
    private final LargeBodies largeBodies;
    private final int bytesMax;
    private final Consumer<byte[]> onBody;
    private final Runnable onTooLarge;
    private final Runnable onTooSlow;
    private byte[] bytes = EMPTY;
    private int enough;
    private int length;
    private boolean isAbandoned;

    private BodyReader(HttpServerRequest request, LargeBodies largeBodies, int bytesMax, Consumer<byte[]> onBody,
            Runnable onTooLarge, Runnable onTooSlow) {
        this.request = request;
        this.largeBodies = largeBodies;
        this.bytesMax = bytesMax;
        this.enough = bytesMax;
        this.onBody = onBody;
        this.onTooLarge = onTooLarge;
        this.onTooSlow = onTooSlow;
    }

    /** Calls one of the three once; none when the client hangs up in between. */
    static void read(HttpServerRequest request, LargeBodies largeBodies, int bytesMax, Consumer<byte[]> onBody,
            Runnable onTooLarge, Runnable onTooSlow) {
        BodyReader reader = new BodyReader(request, largeBodies, bytesMax, onBody, onTooLarge, onTooSlow);
        long announced = announced(request);
        if (announced > bytesMax) {
            reader.abandon(onTooLarge);
        } else if (announced > 0) {
            // The announcement is believed only so far: a header alone must not cost much memory.
            reader.bytes = new byte[(int) Math.min(announced, START_BYTES_MAX)];
            reader.enough = (int) announced;
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
        if (isAbandoned) {
            return;
        }
        if (more > bytesMax - length) {
            abandon(onTooLarge);
            return;
        }
        if (more > bytes.length - length) {
            bytes = Arrays.copyOf(bytes,
                    Math.max(length + more, (int) Math.min(enough, bytes.length * 2L)));
        }
        chunk.getBytes(bytes, length);
        if (length < LargeBodies.LARGE_BYTES && length + more >= LargeBodies.LARGE_BYTES) {
            largeBodies.enter(request, () -> abandon(onTooSlow));
        }
        length += more;
    }

    private void abandon(Runnable answer) {
        isAbandoned = true;
        bytes = EMPTY;
        answer.run();
    }

    private void onEnd() {
        if (!isAbandoned) {
            largeBodies.arrived(request);
            byte[] body = length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
            // The request lives on with its connection; the body must not.
            bytes = EMPTY;
            onBody.accept(body);
        }
    }
}
