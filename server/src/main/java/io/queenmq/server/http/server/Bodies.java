package io.queenmq.server.http.server;

import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The request bodies in memory, of all event loops together, bounded in bytes. A body counts from its first byte until its
 * request is answered.
 *
 * <p>One half is for bodies as they come, each counted by what has arrived of it, so that an announcement alone costs
 * nothing. When half of that is taken, a body that is not complete waits in line, unread. Whoever is first in line is
 * counted with all that was announced, in the other half, and goes on when that has room, or alone when it is larger than
 * the half. So one that was let in can always be read to its end, and those who wait cannot block each other. When the
 * first half is full, bodies are turned away, because even those that are complete would be too many.
 *
 * <p>Safe from any thread; a {@link Body} belongs to the event loop of its request.
 */
final class Bodies {
    /** What arrived. */
    enum Verdict {
        /** Reading goes on. */
        GO_ON,
        /** Reading pauses until the body is called. */
        WAIT,
        /** There is no room for what has arrived, nor any for waiting. */
        TURN_AWAY
    }

    /** What a body that announces no length is let in with, at least. */
    private static final long STEP_BYTES = 64 * 1024;

    private final long half;
    private final AtomicLong arrived = new AtomicLong();
    private final ArrayDeque<Body> line = new ArrayDeque<>();
    private volatile int waiting;
    private volatile long letIn;
    private int letInCount;

    Bodies(long bytesMax) {
        this.half = bytesMax / 2;
    }

    /**
     * A body of which nothing has arrived.
     *
     * @param announced its length, or -1 when it was not announced
     * @param onCalled called when it may go on after a wait, on any thread
     */
    Body open(long announced, Runnable onCalled) {
        return new Body(announced, onCalled);
    }

    /** Bytes of all bodies. */
    long held() {
        return arrived.get() + letIn;
    }

    /** How many bodies wait in line. */
    int waiting() {
        return waiting;
    }

    /** Whoever is first in line goes in if there is room for all of it, or if nobody else is in. */
    private synchronized Verdict enter(Body body) {
        if (line.isEmpty() && isRoomFor(body)) {
            letIn(body);
            return Verdict.GO_ON;
        }
        line.add(body);
        waiting = line.size();
        return Verdict.WAIT;
    }

    private synchronized void leave(Body body) {
        line.remove(body);
        if (body.letInBytes > 0) {
            letIn -= body.letInBytes;
            letInCount--;
        }
        arrived.addAndGet(-body.arrivedBytes);
        while (!line.isEmpty() && isRoomFor(line.peek())) {
            Body next = line.poll();
            letIn(next);
            next.onCalled.run();
        }
        waiting = line.size();
    }

    private boolean isRoomFor(Body body) {
        int others = letInCount - (body.letInBytes > 0 ? 1 : 0);
        return others == 0 || letIn - body.letInBytes + body.wanted() <= half;
    }

    private void letIn(Body body) {
        letInCount += body.letInBytes > 0 ? 0 : 1;
        letIn += body.wanted() - body.letInBytes;
        body.letInBytes = body.wanted();
        arrived.addAndGet(-body.arrivedBytes);
        body.arrivedBytes = 0;
    }

    /** One body, from its first byte until its request is answered. */
    final class Body {
        private final long announced;
        private final Runnable onCalled;
        private long length;
        private long arrivedBytes;
        private long letInBytes;
        private boolean hasWaited;
        private boolean isClosed;

        private Body(long announced, Runnable onCalled) {
            this.announced = announced;
            this.onCalled = onCalled;
        }

        /** Counts bytes that have come, and says whether more may. */
        Verdict add(int more) {
            length += more;
            if (hasWaited) {
                return length <= letInBytes ? Verdict.GO_ON : enter(this);
            }
            arrivedBytes += more;
            long now = arrived.addAndGet(more);
            if (now <= half / 2 || length == announced && now <= half) {
                return Verdict.GO_ON;
            }
            if (now > half) {
                return Verdict.TURN_AWAY;
            }
            hasWaited = true;
            return enter(this);
        }

        /** How many bytes are counted for it, of which not all may have come. */
        long counted() {
            return hasWaited ? letInBytes : arrivedBytes;
        }

        private long wanted() {
            return announced >= 0 ? announced : Math.max(STEP_BYTES, 2 * length);
        }

        /** Gives its bytes back, whatever became of it. Calling it again does nothing. */
        void close() {
            if (isClosed) {
                return;
            }
            isClosed = true;
            if (hasWaited) {
                leave(this);
                return;
            }
            arrived.addAndGet(-arrivedBytes);
        }
    }
}
