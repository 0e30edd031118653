package io.queenmq.examples;

import io.queenmq.client.AckResult;
import io.queenmq.client.PopOptions;
import io.queenmq.client.Queen;
import io.queenmq.client.operator.QueueOptions;
import java.time.Duration;

/** Pops, renews and acknowledges without a consumer. */
public final class ManualPop {
    private ManualPop() {}

    public static void main(String[] args) {
        try (var queen = Queen.connect(Servers.url(args))) {
            // snippet: configure
            queen.operator().queues().configure("jobs",
                    QueueOptions.of().leaseTime(Duration.ofMinutes(1)).retryLimit(5));
            // end
            var jobs = queen.queue("jobs", String.class);
            jobs.push("sweep the floor");
            // snippet: by-hand
            var options = PopOptions.DEFAULT.batch(10).waitFor(Duration.ofSeconds(30));
            try (var batch = jobs.group("workers").pop(options)) {
                for (var delivery : batch) {
                    batch.renew(Duration.ofMinutes(5));
                    System.out.println(delivery.value());
                    switch (batch.ack(delivery)) {
                        case AckResult.Accepted accepted -> System.out.println("done");
                        case AckResult.DeadLettered dead -> System.out.println("dead-lettered");
                        case AckResult.LeaseLost lost -> System.out.println("lease lost: " + lost.reason());
                    }
                }
            }
            // end
        }
    }
}
