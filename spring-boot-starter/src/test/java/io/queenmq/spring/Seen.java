package io.queenmq.spring;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** What listeners have seen. */
final class Seen {
    /** Nothing in these tests takes this long unless something hangs. */
    static final int PATIENCE_S = 120;

    private final BlockingQueue<String> values = new LinkedBlockingQueue<>();

    void add(Object value) {
        values.add(String.valueOf(value));
    }

    /** The next one; null when none comes. */
    String next() {
        try {
            return values.poll(PATIENCE_S, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    boolean isEmpty() {
        return values.isEmpty();
    }
}
