package io.queenmq.server;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A stack of the closings of opened parts. Used by one thread at a time. */
final class Closings implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Closings.class);

    private final Deque<Closing> closings = new ArrayDeque<>();

    /** Closes one part. */
    interface Closing {
        void close() throws Exception;
    }

    void push(Closing closing) {
        closings.push(closing);
    }

    /** Closes all parts, the latest first. Idempotent. */
    @Override
    public void close() {
        while (!closings.isEmpty()) {
            try {
                closings.pop().close();
            } catch (Exception e) {
                // The other parts must be closed, too.
                log.error("closing a part of the server failed", e);
            }
        }
    }
}
