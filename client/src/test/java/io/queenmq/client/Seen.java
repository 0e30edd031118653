package io.queenmq.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.testkit.Await;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Records deliveries in order. Thread-safe. */
final class Seen {
    private final List<String> values = new CopyOnWriteArrayList<>();

    void add(Object value) {
        values.add(value.toString());
    }

    List<String> values() {
        return values;
    }

    /** Waits for this number of records. */
    List<String> await(int count) throws InterruptedException {
        Await.until(count + " messages, so far " + values, () -> values.size() >= count);
        assertThat(values).hasSize(count);
        return values;
    }
}
