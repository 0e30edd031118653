package io.queenmq.server.http.server;

import io.vertx.core.Context;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A lock-free queue of replies from the engine to one event loop. Any thread may add replies. The loop is woken once for all
 * replies that are added until it runs.
 *
 * <p>The replies form a linked list, the latest first. The thread that adds to an empty list wakes the loop, and the loop removes
 * the whole list at once. So no wake-up can be lost, and adding a reply neither locks nor allocates.
 */
final class AnswerQueue {
    private final Context loop;
    private final AtomicReference<@Nullable HttpReply<?>> latest = new AtomicReference<>();

    AnswerQueue(Context loop) {
        this.loop = loop;
    }

    void add(HttpReply<?> answer) {
        HttpReply<?> before;
        do {
            before = latest.get();
            answer.setBefore(before);
        } while (!latest.compareAndSet(before, answer));
        if (before == null) {
            loop.runOnContext(_ -> deliver());
        }
    }

    private void deliver() {
        HttpReply<?> answer = oldest(latest.getAndSet(null));
        while (answer != null) {
            HttpReply<?> following = answer.before();
            answer.setBefore(null);
            answer.deliver();
            answer = following;
        }
    }

    /** Reverses the list, so that replies are delivered in the order of their arrival. */
    private static @Nullable HttpReply<?> oldest(@Nullable HttpReply<?> newest) {
        HttpReply<?> turned = null;
        HttpReply<?> at = newest;
        while (at != null) {
            HttpReply<?> before = at.before();
            at.setBefore(turned);
            turned = at;
            at = before;
        }
        return turned;
    }
}
