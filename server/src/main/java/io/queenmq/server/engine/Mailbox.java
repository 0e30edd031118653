package io.queenmq.server.engine;

import io.queenmq.engine.reply.Failure;
import io.queenmq.engine.reply.Reply;
import io.vertx.core.Context;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A queue of tasks from other threads for the engine loop. All tasks that are posted before the loop runs cost one wake-up.
 */
final class Mailbox {
    private static final Logger log = LoggerFactory.getLogger(Mailbox.class);

    private final Context loop;
    private final ConcurrentLinkedQueue<Task> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean isAwake = new AtomicBoolean();

    Mailbox(Context loop) {
        this.loop = loop;
    }

    /** A task for the engine loop. */
    interface Task {
        void run();

        /** Called when the task has thrown. Its effect is unknown. */
        default void failed(Throwable bug) {}

        /** Returns a task that fails its reply when it throws. */
        static Task of(Runnable run, Reply<?> reply) {
            return new Task() {
                @Override
                public void run() {
                    run.run();
                }

                @Override
                public void failed(Throwable bug) {
                    reply.fail(new Failure.Unavailable("this server failed: " + bug));
                }
            };
        }
    }

    /** Enqueues a task. Safe from any thread; tasks of one thread run in the order in which they were posted. */
    void post(Task task) {
        tasks.add(task);
        if (isAwake.compareAndSet(false, true)) {
            loop.runOnContext(_ -> empty());
        }
    }

    private void empty() {
        // Must be cleared first, so that a task that is posted from now on wakes the loop again.
        isAwake.set(false);
        for (Task task = tasks.poll(); task != null; task = tasks.poll()) {
            try {
                task.run();
            } catch (Throwable bug) {
                // Fail the reply of this task, and run the next one, which belongs to another request.
                log.error("task of the engine failed", bug);
                task.failed(bug);
            }
        }
    }
}
