package io.queenmq.server.http.server;

import io.queenmq.engine.time.Clock;
import io.queenmq.server.config.HttpConfig;
import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Reads the body of one request. Memory is allocated as bytes are received. While {@link Bodies} requires it, reading is
 * paused. Owned by one event loop.
 */
final class BodyReader {
    private static final byte[] EMPTY = {};
    private static final long NOT_ANNOUNCED = -1;

    private final Exchange exchange;
    private final HttpServerRequest request;
    private final Connection connection;
    private final Context context;
    private final HttpConfig.Limits limits;
    private final Refusals refusals;
    private final Consumer<byte[]> onBody;
    private final Bodies.Body body;
    private final long announced;
    private long beganNs;
    private long lastNs;
    private long timer;
    private byte[] bytes = EMPTY;
    private int length;
    private boolean isWaiting;
    private boolean isOver;

    private BodyReader(Exchange exchange, HttpLoop loop, Consumer<byte[]> onBody) {
        this.exchange = exchange;
        this.request = exchange.request();
        this.connection = Connection.of(request);
        this.context = loop.loopContext();
        this.limits = loop.bounds().limits();
        this.refusals = loop.bounds().refusals();
        this.onBody = onBody;
        this.announced = announced(request);
        this.body = loop.bounds().bodies().open(announced, () -> context.runOnContext(_ -> resume()));
        this.beganNs = connection.nowNs();
        this.lastNs = beganNs;
    }

    /**
     * Calls the consumer once with the body. If the body times out or exceeds the memory limit, the request is answered
     * instead.
     */
    static void read(Exchange exchange, HttpLoop loop, Consumer<byte[]> onBody) {
        BodyReader reader = new BodyReader(exchange, loop, onBody);
        if (reader.announced > reader.limits.bodyBytesMax()) {
            reader.refuseTooLarge();
            return;
        }
        exchange.setBody(reader.body);
        reader.connection.reading(reader);
        reader.request.handler(reader::onChunk);
        reader.request.endHandler(_ -> reader.onEnd());
    }

    private static long announced(HttpServerRequest request) {
        String header = request.headers().get(HttpHeaders.CONTENT_LENGTH);
        try {
            return header == null ? NOT_ANNOUNCED : Long.parseLong(header);
        } catch (NumberFormatException _) {
            return Long.MAX_VALUE;
        }
    }

    private void onChunk(Buffer chunk) {
        if (isOver) {
            return;
        }
        int more = chunk.length();
        if (more > limits.bodyBytesMax() - length) {
            refuseTooLarge();
            return;
        }
        lastNs = connection.nowNs();
        Bodies.Verdict verdict = body.add(more);
        if (verdict == Bodies.Verdict.REJECT) {
            rejectTemporarily(Refusals.Reason.BODY_FLOOD);
            return;
        }
        ensure(more);
        chunk.getBytes(bytes, length);
        length += more;
        if (verdict == Bodies.Verdict.WAIT) {
            pause();
        }
    }

    private void ensure(int more) {
        if (more > bytes.length - length) {
            long enough = announced == NOT_ANNOUNCED ? limits.bodyBytesMax() : announced;
            bytes = Arrays.copyOf(bytes,
                    (int) Math.max(length + more, Math.min(enough, Math.max(bytes.length * 2L, body.counted()))));
        }
    }

    private void pause() {
        isWaiting = true;
        request.pause();
        connection.pause();
        timer = context.owner().setTimer(limits.bodyWait().toMillis(), _ -> {
            if (isWaiting && !isOver) {
                rejectTemporarily(Refusals.Reason.BODY_WAIT);
                connection.resume();
                request.resume();
            }
        });
    }

    private void resume() {
        if (isWaiting && !isOver) {
            isWaiting = false;
            context.owner().cancelTimer(timer);
            // The server paused reading, so the wait does not count for the client.
            beganNs = Clock.SYSTEM.nowNs();
            lastNs = beganNs;
            connection.resume();
            request.resume();
        }
    }

    /** Returns how long nothing was received; 0 while reading is paused. */
    long silentNs(long nowNs) {
        return isWaiting || isOver ? 0 : nowNs - lastNs;
    }

    /** Returns the time since the first byte. */
    long ageNs(long nowNs) {
        return isWaiting || isOver ? 0 : nowNs - beganNs;
    }

    void timeOut() {
        end(Refusals.Reason.BODY_SLOW);
        // Otherwise the connection would wait for the rest of the body.
        exchange.errorAndClose(408,
                "the request body was not received in time; send it faster, or raise BODY_TIMEOUT_MS")
                .onComplete(_ -> connection.close());
    }

    private void refuseTooLarge() {
        end(Refusals.Reason.BODY_TOO_LARGE);
        exchange.errorAndClose(413, "the body is larger than " + limits.bodyBytesMax() + " bytes");
    }

    /** Reads and drops the rest of the body. A client that is still sending would not read a response otherwise. */
    private void rejectTemporarily(Refusals.Reason reason) {
        end(reason);
        exchange.overloaded("request bodies in memory have reached MAX_REQUEST_BYTES");
    }

    private void end(Refusals.Reason reason) {
        isOver = true;
        bytes = EMPTY;
        connection.reading(null);
        refusals.count(reason);
    }

    private void onEnd() {
        if (isOver) {
            return;
        }
        isOver = true;
        connection.reading(null);
        byte[] complete = length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
        // The request object stays reachable from its connection. The body must not stay in memory.
        bytes = EMPTY;
        onBody.accept(complete);
    }
}
