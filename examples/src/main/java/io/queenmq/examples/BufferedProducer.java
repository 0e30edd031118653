package io.queenmq.examples;

import io.queenmq.client.Queen;
import io.queenmq.client.UnsentException;
import io.queenmq.client.WhenFull;

/** Pushes in the background and prints the messages that could not be stored. */
public final class BufferedProducer {
    private BufferedProducer() {}

    public static void main(String[] args) {
        try (var queen = Queen.connect(Servers.url(args))) {
            var readings = queen.queue("readings", Integer.class);
            // snippet: buffered
            try (var buffer = readings.partition("sensor-1").buffered().capacity(50_000).whenFull(WhenFull.BLOCK)
                    .start()) {
                for (int reading = 0; reading < 10_000; reading++) {
                    buffer.push(reading);
                }
            } catch (UnsentException e) {
                e.unsent().forEach(each -> System.err.println(each.message() + ": " + each.reason()));
            }
            // end
        }
    }
}
