package io.queenmq.bench;

import java.util.List;
import java.util.stream.IntStream;

/**
 * The queues of one scenario in one run. All names have the same length, so that overwriting
 * three digits of a request changes its queue.
 */
record QueueNames(String prefix, int count) {
    static final int DIGITS = 3;
    static final int COUNT_MAX = 1_000;

    QueueNames {
        if (count < 1 || count > COUNT_MAX) {
            throw new IllegalArgumentException("queues must number 1 to " + COUNT_MAX);
        }
    }

    String name(int index) {
        return prefix + String.format("%0" + DIGITS + "d", index);
    }

    List<String> all() {
        return IntStream.range(0, count).mapToObj(this::name).toList();
    }
}
