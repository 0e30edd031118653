package io.queenmq.spring;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Records calls of listeners. */
final class Seen {
    /** A test that waits longer has failed. */
    static final int PATIENCE_S = 120;

    private final BlockingQueue<String> values = new LinkedBlockingQueue<>();

    void add(Object value) {
        values.add(String.valueOf(value));
    }

    /** Returns the next record; null after the maximum wait. */
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
