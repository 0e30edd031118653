package io.queenmq.engine.catalog;

import io.queenmq.engine.queue.Queue;

import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The encrypted queues while this server has no key. It rejects pushes to them and cannot deliver their messages. Logs each
 * queue once. Owned by the engine loop.
 */
public final class KeylessQueues {
    private static final Logger log = LoggerFactory.getLogger(KeylessQueues.class);

    private final Names names = new Names();

    /** @param hasKey true if this server has a key; then no queue is without one */
    public KeylessQueues(Catalog catalog, boolean hasKey) {
        if (!hasKey) {
            catalog.onChange(name -> warn(names.changed(name, catalog.find(name))));
        }
    }

    /** Must be called when the catalog was read for the first time. */
    public void open() {
        warn(names.open());
    }

    public int count() {
        return names.sorted.size();
    }

    private static void warn(@Nullable String which) {
        if (which != null) {
            log.warn("encrypted queues, but QUEEN_ENCRYPTION_KEY is not set: {}. This server rejects pushes to them and"
                    + " cannot deliver their messages", which);
        }
    }

    /** Decides which queues to name in a warning. */
    static final class Names {
        private static final int NAMED_MAX = 5;

        private final TreeSet<String> sorted = new TreeSet<>();
        private boolean isOpen;

        /** Returns the queues to warn about, at most a few of them by name; null if there are none. */
        @Nullable
        String open() {
            isOpen = true;
            if (sorted.isEmpty()) {
                return null;
            }
            return String.join(", ", sorted.stream().limit(NAMED_MAX).toList())
                    + (sorted.size() > NAMED_MAX ? " and " + (sorted.size() - NAMED_MAX) + " more" : "");
        }

        /**
         * Records a change of a queue, and returns its name if a warning is due, or null.
         *
         * @param queue null when the queue was deleted
         */
        @Nullable
        String changed(String name, @Nullable Queue queue) {
            if (queue == null || !queue.options().encryptionEnabled()) {
                sorted.remove(name);
                return null;
            }
            return sorted.add(name) && isOpen ? name : null;
        }
    }
}
