package io.queenmq.server.engine;

import io.queenmq.engine.reply.Failure;
import io.queenmq.engine.reply.Reply;
import io.vertx.core.Context;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How other threads reach the engine loop. Any number of tasks cost one wake-up of the loop, however many threads post.
 */
final class Mailbox {
    private static final Logger log = LoggerFactory.getLogger(Mailbox.class);

    private final Context loop;
    private final ConcurrentLinkedQueue<Task> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean isAwake = new AtomicBoolean();

    Mailbox(Context loop) {
        this.loop = loop;
    }

    /** What is to be done on the engine loop. */
    interface Task {
        void run();

        /** The task has thrown; nobody knows how far it got. */
        default void failed(Throwable bug) {}

        /** A task whose reply is told when it throws. */
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

    /** Safe from any thread; tasks of one thread run in the order they were posted. */
    void post(Task task) {
        tasks.add(task);
        if (isAwake.compareAndSet(false, true)) {
            loop.runOnContext(_ -> empty());
        }
    }

    private void empty() {
        // Cleared first: a task posted from here on wakes the loop again.
        isAwake.set(false);
        for (Task task = tasks.poll(); task != null; task = tasks.poll()) {
            try {
                task.run();
            } catch (Throwable bug) {
                // The next task is somebody else's, and whoever waits for this one has to hear of it.
                log.error("a task of the engine failed", bug);
                task.failed(bug);
            }
        }
    }
}
