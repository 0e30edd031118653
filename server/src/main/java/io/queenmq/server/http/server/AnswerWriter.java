package io.queenmq.server.http.server;

import io.netty.buffer.Unpooled;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.internal.buffer.BufferInternal;

/**
 * Writes one large answer piece by piece, as fast as its client takes it: what is handed to the network is copied out of
 * the heap, and many answers as a whole would be more than there is memory for. Owned by one event loop.
 */
final class AnswerWriter {
    /** What is not larger than this goes in one piece. */
    static final int WHOLE_BYTES_MAX = 256 * 1024;

    private static final int PIECE_BYTES = 64 * 1024;

    private final HttpServerResponse response;
    private final Promise<Void> done = Promise.promise();
    private byte[] bytes;
    private final int length;
    private int written;
    private boolean isHandedOver;

    /** @param bytes of which the answer are the first, up to this length; not to be changed any more */
    AnswerWriter(HttpServerResponse response, byte[] bytes, int length) {
        this.response = response;
        this.bytes = bytes;
        this.length = length;
    }

    /** Completes when all of it was handed to the network, and fails when the client hangs up before. */
    Future<Void> write() {
        response.putHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(length));
        response.drainHandler(_ -> writeOn());
        writeOn();
        return done.future();
    }

    /** The client is gone, or everything is written. */
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
