package io.queenmq.server.http.server;

import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits the bytes of request bodies in memory, for all event loops together. A body counts from its first byte until its
 * request is answered.
 *
 * <p>The limit has two halves. The first half counts the received bytes of each body, so a large content length alone uses
 * nothing. When half of the first half is used, incomplete bodies are no longer read and wait in a queue. The first body of the
 * queue is counted with its content length in the second half. It is read as soon as that half has enough free bytes, or when it
 * is the only body there. So a body that left the queue can always be read completely, and waiting bodies cannot block each
 * other. When the first half is full, further bodies are rejected, even if they are complete.
 *
 * <p>Safe from any thread; a {@link Body} belongs to the event loop of its request.
 */
final class Bodies {
    /** The result of {@code received}. */
    enum Verdict {
        /** Continue reading. */
        CONTINUE,
        /** Pause reading until the callback of the body is called. */
        WAIT,
        /** Reject the request: there is no memory for the received bytes. */
        REJECT
    }

    /** Minimum number of bytes counted for a body without a content length. */
    private static final long STEP_BYTES = 64 * 1024;

    private final long half;
    private final AtomicLong received = new AtomicLong();
    private final ArrayDeque<Body> queue = new ArrayDeque<>();
    private volatile int waiting;
    private volatile long admitted;
    private int admittedCount;

    Bodies(long bytesMax) {
        this.half = bytesMax / 2;
    }

    /**
     * Returns a body without received bytes.
     *
     * @param contentLength its content length, or -1 if it has none
     * @param onAdmitted called on any thread when reading may continue after a wait
     */
    Body open(long contentLength, Runnable onAdmitted) {
        return new Body(contentLength, onAdmitted);
    }

    /** Returns the counted bytes of all bodies. */
    long held() {
        return received.get() + admitted;
    }

    /** Returns the number of waiting bodies. */
    int waiting() {
        return waiting;
    }

    /** Admits the first waiting body if the second half has enough free bytes for it, or contains no other body. */
    private synchronized Verdict enter(Body body) {
        if (queue.isEmpty() && fits(body)) {
            admit(body);
            return Verdict.CONTINUE;
        }
        queue.add(body);
        waiting = queue.size();
        return Verdict.WAIT;
    }

    private synchronized void leave(Body body) {
        queue.remove(body);
        if (body.admittedBytes > 0) {
            admitted -= body.admittedBytes;
            admittedCount--;
        }
        received.addAndGet(-body.receivedBytes);
        while (!queue.isEmpty() && fits(queue.peek())) {
            Body next = queue.poll();
            admit(next);
            next.onAdmitted.run();
        }
        waiting = queue.size();
    }

    private boolean fits(Body body) {
        int others = admittedCount - (body.admittedBytes > 0 ? 1 : 0);
        return others == 0 || admitted - body.admittedBytes + body.wanted() <= half;
    }

    private void admit(Body body) {
        admittedCount += body.admittedBytes > 0 ? 0 : 1;
        admitted += body.wanted() - body.admittedBytes;
        body.admittedBytes = body.wanted();
        received.addAndGet(-body.receivedBytes);
        body.receivedBytes = 0;
    }

    /** One body, from its first byte until its request is answered. */
    final class Body {
        private final long contentLength;
        private final Runnable onAdmitted;
        private long length;
        private long receivedBytes;
        private long admittedBytes;
        private boolean hasWaited;
        private boolean isClosed;

        private Body(long contentLength, Runnable onAdmitted) {
            this.contentLength = contentLength;
            this.onAdmitted = onAdmitted;
        }

        /** Counts received bytes. Returns how to proceed. */
        Verdict add(int more) {
            length += more;
            if (hasWaited) {
                return length <= admittedBytes ? Verdict.CONTINUE : enter(this);
            }
            receivedBytes += more;
            long now = received.addAndGet(more);
            if (now <= half / 2 || length == contentLength && now <= half) {
                return Verdict.CONTINUE;
            }
            if (now > half) {
                return Verdict.REJECT;
            }
            hasWaited = true;
            return enter(this);
        }

        /** Returns the bytes that are counted for it, which may be more than it has received. */
        long counted() {
            return hasWaited ? admittedBytes : receivedBytes;
        }

        private long wanted() {
            return contentLength >= 0 ? contentLength : Math.max(STEP_BYTES, 2 * length);
        }

        /** Releases its bytes. Further calls have no effect. */
        void close() {
            if (isClosed) {
                return;
            }
            isClosed = true;
            if (hasWaited) {
                leave(this);
                return;
            }
            received.addAndGet(-receivedBytes);
        }
    }
}
