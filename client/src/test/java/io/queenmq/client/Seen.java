package io.queenmq.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.testkit.Await;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What handlers have seen, in order. Safe from any thread. */
final class Seen {
    private final List<String> values = new CopyOnWriteArrayList<>();

    void add(Object value) {
        values.add(value.toString());
    }

    List<String> values() {
        return values;
    }

    /** Waits for the given number of them. */
    List<String> await(int count) throws InterruptedException {
        Await.until(count + " messages, so far " + values, () -> values.size() >= count);
        assertThat(values).hasSize(count);
        return values;
    }
}
