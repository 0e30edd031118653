package io.queenmq.server.http.server;

import io.vertx.core.Context;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Answers on their way from the engine to one event loop. Any thread may add; the loop is woken once for all that are
 * added until it comes to look, however many they are.
 *
 * <p>The answers form a chain, the latest first. Whoever adds to an empty chain wakes the loop; the loop takes the whole
 * chain away at once. So there is nothing to lock, nothing to allocate, and no wake-up can get lost.
 */
final class AnswerQueue {
    private final Context loop;
    private final AtomicReference<HttpReply<?>> latest = new AtomicReference<>();

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

    /** Turns the chain around, so that answers leave in the order they came. */
    private static HttpReply<?> oldest(HttpReply<?> newest) {
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
