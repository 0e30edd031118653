package io.queenmq.engine.budget;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Limits the bytes that are in memory for one purpose. Bytes that are in memory are counted even if they exceed the limit.
 * Before more are loaded, the caller checks {@link #isAvailable} and waits while the budget is used up. Bytes are counted through
 * a {@link Share}, which releases them once. Safe from any thread.
 */
public final class ByteBudget {
    private final long max;
    private final AtomicLong held = new AtomicLong();
    private final AtomicReference<@Nullable Runnable> waiting = new AtomicReference<>();

    public ByteBudget(long max) {
        this.max = max;
    }

    public long max() {
        return max;
    }

    public long held() {
        return held.get();
    }

    /** Returns true if fewer bytes than the limit are held. */
    public boolean isAvailable() {
        return held.get() < max;
    }

    /** Returns an empty share. */
    public Share open() {
        return new Share(this);
    }

    /**
     * Runs the task once when bytes are available, maybe at once, on the thread that released them. Only one task can wait:
     * another task replaces it.
     */
    public void whenAvailable(Runnable task) {
        waiting.set(task);
        // Bytes may have been released before the task was set, without a wake-up.
        if (isAvailable()) {
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

    /** The bytes of one user of the budget. Must be used by one thread at a time, and published safely to another one. */
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

        /** Sets the number of bytes. Has no effect on a closed share. */
        public void resize(long now) {
            if (!isClosed && now != bytes) {
                long before = bytes;
                bytes = now;
                budget.change(now - before);
            }
        }

        /** Releases all bytes. A second call has no effect. */
        public void close() {
            resize(0);
            isClosed = true;
        }
    }
}
