package io.queenmq.engine.pop;

import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * The events of the pop module, in order. An event is handled after the event that caused it is complete: a push replies to
 * its producer before a waiting pop continues, and no handler is called from within another. Any number of events cost one
 * task of the engine loop. Must be used on the engine loop.
 */
final class PopEvents {
    private final ArrayDeque<PopEvent> queue = new ArrayDeque<>();
    private final Executor loop;
    private final Consumer<PopEvent> handler;
    private boolean isScheduled;

    /**
     * @param loop runs a task on the engine loop after the current one
     * @param handler of the events; what it throws delays the next event until the next task
     */
    PopEvents(Executor loop, Consumer<PopEvent> handler) {
        this.loop = loop;
        this.handler = handler;
    }

    void add(PopEvent event) {
        queue.add(event);
        schedule();
    }

    private void schedule() {
        if (!isScheduled) {
            isScheduled = true;
            loop.execute(this::handleAll);
        }
    }

    /** Also handles the events that are added meanwhile. */
    private void handleAll() {
        try {
            for (PopEvent event = queue.poll(); event != null; event = queue.poll()) {
                handler.accept(event);
            }
        } finally {
            isScheduled = false;
            if (!queue.isEmpty()) {
                schedule();
            }
        }
    }
}
