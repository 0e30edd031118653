package io.queenmq.server.engine;

import io.vertx.core.Context;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * How other threads reach the engine loop. Any number of tasks cost one wake-up of the loop, however many threads post.
 */
final class Mailbox {
    private final Context loop;
    private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean isAwake = new AtomicBoolean();

    Mailbox(Context loop) {
        this.loop = loop;
    }

    /** Safe from any thread; tasks of one thread run in the order they were posted. */
    void post(Runnable task) {
        tasks.add(task);
        if (isAwake.compareAndSet(false, true)) {
            loop.runOnContext(_ -> empty());
        }
    }

    private void empty() {
        // Cleared first: a task posted from here on wakes the loop again.
        isAwake.set(false);
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }
}
