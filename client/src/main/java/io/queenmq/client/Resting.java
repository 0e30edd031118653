package io.queenmq.client;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Partitions that rest before they are delivered again. Safe from any thread. */
final class Resting {
    private final Context context;
    private final IdleWatch idle;
    private final Set<Rest> rests = ConcurrentHashMap.newKeySet();

    Resting(Context context, IdleWatch idle) {
        this.context = context;
        this.idle = idle;
    }

    void add(Duration delay, Runnable end) {
        Rest rest = new Rest(end, new AtomicBoolean());
        rests.add(rest);
        idle.enter();
        context.timer().schedule(() -> context.threads().execute(() -> end(rest)), delay.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    /** Nobody will be there to wait: all of them end now. */
    void endAll() {
        List.copyOf(rests).forEach(this::end);
    }

    private void end(Rest rest) {
        if (rest.isOver().compareAndSet(false, true)) {
            try {
                rest.end().run();
            } finally {
                rests.remove(rest);
                idle.leave();
            }
        }
    }

    private record Rest(Runnable end, AtomicBoolean isOver) {}
}
