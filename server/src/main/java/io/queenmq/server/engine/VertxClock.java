package io.queenmq.server.engine;

import io.queenmq.engine.time.LoopClock;
import io.vertx.core.Vertx;

/** The clock of a Vert.x event loop. Its tasks run on the loop that schedules them. */
public final class VertxClock implements LoopClock {
    private final Vertx vertx;

    public VertxClock(Vertx vertx) {
        this.vertx = vertx;
    }

    @Override
    public long nowNs() {
        return SYSTEM.nowNs();
    }

    @Override
    public long epochMs() {
        return SYSTEM.epochMs();
    }

    @Override
    public Wakeup wakeAfter(long delayMs, Runnable task) {
        long id = vertx.setTimer(delayMs, _ -> task.run());
        return () -> vertx.cancelTimer(id);
    }
}
