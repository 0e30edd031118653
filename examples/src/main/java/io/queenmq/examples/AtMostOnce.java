package io.queenmq.examples;

import io.queenmq.client.Queen;
import io.queenmq.client.StartPosition;
import java.util.concurrent.TimeUnit;

/** Processes positions of which only the latest matters: losing one is better than processing it late. */
public final class AtMostOnce {
    private AtMostOnce() {}

    public static void main(String[] args) {
        try (var queen = Queen.connect(Servers.url(args))) {
            var positions = queen.queue("positions", String.class);
            // snippet: at-most-once
            try (var consumer = positions.group("map").consumer().from(StartPosition.now()).limit(1)
                    .startAtMostOnce(delivery -> System.out.println("at " + delivery.value()))) {
                positions.partition("ship-1").push("52.5N 13.4E");
                consumer.ended().orTimeout(30, TimeUnit.SECONDS).join();
            }
            // end
        }
    }
}
