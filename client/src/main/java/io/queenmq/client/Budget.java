package io.queenmq.client;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** How many messages a consumer may still handle. Workers take before they pop, so that never too many are popped. */
final class Budget {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private long left;
    private int takers;
    private boolean isClosed;

    Budget(long limit) {
        this.left = limit;
    }

    /** Waits while others may still give something back; 0 when nothing is left or the budget is closed. */
    int take(int wanted) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (left == 0 && takers > 0 && !isClosed) {
                changed.await();
            }
            if (isClosed || left == 0) {
                return 0;
            }
            int taken = (int) Math.min(wanted, left);
            left -= taken;
            takers++;
            return taken;
        } finally {
            lock.unlock();
        }
    }

    /** To be called once for each taking. */
    void giveBack(int unused) {
        lock.lock();
        try {
            left += unused;
            takers--;
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
