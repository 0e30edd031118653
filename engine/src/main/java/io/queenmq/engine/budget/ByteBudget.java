package io.queenmq.engine.budget;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * So many bytes may be held at a time. What is in memory already is counted, whether it fits or not; whoever is about to
 * bring more into memory asks first, and waits while there is no room. Bytes are held through a {@link Share}, which gives
 * them back once. Safe from any thread.
 */
public final class ByteBudget {
    private final long max;
    private final AtomicLong held = new AtomicLong();
    private final AtomicReference<Runnable> waiting = new AtomicReference<>();

    public ByteBudget(long max) {
        this.max = max;
    }

    public long max() {
        return max;
    }

    public long held() {
        return held.get();
    }

    public boolean hasRoom() {
        return held.get() < max;
    }

    /** A share that holds nothing yet. */
    public Share open() {
        return new Share(this);
    }

    /**
     * Runs the task once when there is room, maybe at once, on the thread that made the room. A task that waits already
     * is forgotten, so that one party alone may wait.
     */
    public void whenRoom(Runnable task) {
        waiting.set(task);
        // Room that was made before the task stood there told nobody.
        if (hasRoom()) {
            wake();
        }
    }

    private void change(long bytes) {
        if (held.addAndGet(bytes) < max && bytes < 0 && waiting.get() != null) {
            wake();
        }
    }

    private void wake() {
        Runnable task = waiting.getAndSet(null);
        if (task != null) {
            task.run();
        }
    }

    /** What one party holds. Used by one thread at a time; handing it over must make it visible. */
    public static final class Share {
        private final ByteBudget budget;
        private long bytes;
        private boolean isClosed;

        private Share(ByteBudget budget) {
            this.budget = budget;
        }

        public long bytes() {
            return bytes;
        }

        public void add(long more) {
            resize(bytes + more);
        }

        /** Holds that much from now on; a share that was closed holds nothing any more. */
        public void resize(long now) {
            if (!isClosed && now != bytes) {
                long before = bytes;
                bytes = now;
                budget.change(now - before);
            }
        }

        /** Gives everything back. Calling it again does nothing. */
        public void close() {
            resize(0);
            isClosed = true;
        }
    }
}
