package io.queenmq.server.http.server;

import io.netty.buffer.Unpooled;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.internal.buffer.BufferInternal;
import org.jspecify.annotations.Nullable;

/**
 * Writes one large response in parts, as fast as its client reads it. Written bytes are copied out of the heap, and complete
 * copies of many large responses would exceed the memory. Owned by one event loop.
 */
final class AnswerWriter {
    /** Responses up to this size are written at once. */
    static final int WHOLE_BYTES_MAX = 256 * 1024;

    private static final int PIECE_BYTES = 64 * 1024;

    private final HttpServerResponse response;
    private final Promise<Void> done = Promise.promise();
    private byte @Nullable [] bytes;
    private final int length;
    private int written;
    private boolean isHandedOver;

    /** @param bytes array that begins with the response, up to this length; must not be changed afterward */
    AnswerWriter(HttpServerResponse response, byte[] bytes, int length) {
        this.response = response;
        this.bytes = bytes;
        this.length = length;
    }

    /** Completes when the response is written to the network. Fails if the client closes the connection before. */
    Future<Void> write() {
        response.putHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(length));
        response.drainHandler(_ -> writeOn());
        writeOn();
        return done.future();
    }

    /** Called when everything is written or the client has closed the connection. */
    void end() {
        if (!isHandedOver) {
            bytes = null;
            done.tryFail("the client has hung up");
        }
    }

    private void writeOn() {
        while (bytes != null && !response.writeQueueFull()) {
            int piece = Math.min(PIECE_BYTES, length - written);
            Buffer buffer = BufferInternal.buffer(Unpooled.wrappedBuffer(bytes, written, piece));
            written += piece;
            if (written == length) {
                bytes = null;
                isHandedOver = true;
                response.end(buffer).onComplete(done::handle);
            } else {
                response.write(buffer);
            }
        }
    }
}
