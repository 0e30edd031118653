package io.queenmq.client;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Partitions whose messages are released for redelivery after a delay. Thread-safe. */
final class DelayedRetries {
    private final Context context;
    private final IdleTimer idle;
    private final Set<Entry> entries = ConcurrentHashMap.newKeySet();

    DelayedRetries(Context context, IdleTimer idle) {
        this.context = context;
        this.idle = idle;
    }

    void add(Duration delay, Runnable end) {
        Entry entry = new Entry(end, new AtomicBoolean());
        entries.add(entry);
        idle.enter();
        context.timer().schedule(() -> context.threads().execute(() -> end(entry)), delay.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    /** Releases all of them now, because the consumer is closing. */
    void endAll() {
        List.copyOf(entries).forEach(this::end);
    }

    private void end(Entry entry) {
        if (entry.isEnded().compareAndSet(false, true)) {
            try {
                entry.end().run();
            } finally {
                entries.remove(entry);
                idle.leave();
            }
        }
    }

    private record Entry(Runnable end, AtomicBoolean isEnded) {}
}
