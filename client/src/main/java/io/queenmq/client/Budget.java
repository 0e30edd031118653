package io.queenmq.client;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The number of messages that a consumer may still handle. A worker acquires messages before it pops, so that the limit
 * is never exceeded.
 */
final class Budget {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private long left;
    private int users;
    private boolean isClosed;

    Budget(long limit) {
        this.left = limit;
    }

    /**
     * Acquires up to this number of messages. Waits while other workers may release some. Returns 0 if none is left or
     * the budget is closed.
     */
    int acquire(int wanted) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (left == 0 && users > 0 && !isClosed) {
                changed.await();
            }
            if (isClosed || left == 0) {
                return 0;
            }
            int acquired = (int) Math.min(wanted, left);
            left -= acquired;
            users++;
            return acquired;
        } finally {
            lock.unlock();
        }
    }

    /** Releases unused messages. Must be called once for each successful {@link #acquire}. */
    void release(int unused) {
        lock.lock();
        try {
            left += unused;
            users--;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void close() {
        lock.lock();
        try {
            isClosed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
