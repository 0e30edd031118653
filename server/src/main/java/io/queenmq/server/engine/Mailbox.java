package io.queenmq.server.engine;

import io.queenmq.engine.reply.Failure;
import io.queenmq.engine.reply.Reply;
import io.vertx.core.Context;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
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

    /** Enqueues a task for which no request waits. */
    void post(Runnable task) {
        post(task, null);
    }

    /**
     * Enqueues a task. Safe from any thread; tasks of one thread run in the order in which they were posted.
     *
     * @param reply fails if the task throws, because its effect is unknown then; null if no request waits for the task
     */
    void post(Runnable task, @Nullable Reply<?> reply) {
        tasks.add(new Task(task, reply));
        if (isAwake.compareAndSet(false, true)) {
            loop.runOnContext(_ -> empty());
        }
    }

    private void empty() {
        // Must be cleared first, so that a task that is posted from now on wakes the loop again.
        isAwake.set(false);
        for (Task task = tasks.poll(); task != null; task = tasks.poll()) {
            try {
                task.run.run();
            } catch (Throwable bug) {
                // Fail the reply of this task, and run the next one, which belongs to another request.
                log.error("task of the engine failed", bug);
                if (task.reply != null) {
                    task.reply.fail(new Failure.Unavailable("this server failed: " + bug));
                }
            }
        }
    }

    private record Task(Runnable run, @Nullable Reply<?> reply) {}
}
