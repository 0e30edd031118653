package io.queenmq.engine.catalog;

import io.queenmq.engine.queue.Queue;

import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Queues that are encrypted while this server has no key: it refuses what is pushed to them and cannot hand out what is
 * in them. Says so in the log, once for each. Owned by the engine loop.
 */
public final class KeylessQueues {
    private static final Logger log = LoggerFactory.getLogger(KeylessQueues.class);
    private static final int NAMED_MAX = 5;

    private final Catalog catalog;
    private final TreeSet<String> names = new TreeSet<>();
    private boolean isOpen;

    /** @param hasKey whether this server has a key: then there are none */
    public KeylessQueues(Catalog catalog, boolean hasKey) {
        this.catalog = catalog;
        if (!hasKey) {
            catalog.onChange(this::onChange);
        }
    }

    /** The queues there are are known. */
    public void open() {
        isOpen = true;
        if (!names.isEmpty()) {
            warn(String.join(", ", names.stream().limit(NAMED_MAX).toList())
                    + (names.size() > NAMED_MAX ? " and " + (names.size() - NAMED_MAX) + " more" : ""));
        }
    }

    public int count() {
        return names.size();
    }

    private void onChange(String name) {
        Queue queue = catalog.find(name);
        if (queue == null || !queue.options().encryptionEnabled()) {
            names.remove(name);
        } else if (names.add(name) && isOpen) {
            warn(name);
        }
    }

    private static void warn(String which) {
        log.warn("this server has no QUEEN_ENCRYPTION_KEY, but there are encrypted queues: {}. It refuses messages that"
                + " are pushed to them, and cannot hand out what is in them", which);
    }
}
