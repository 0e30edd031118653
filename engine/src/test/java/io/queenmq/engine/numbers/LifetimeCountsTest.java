package io.queenmq.engine.numbers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class LifetimeCountsTest {
    private final Numbers numbers = new Numbers();

    @Test
    void messagesAreCountedPerQueueAndNotResetByAReport() {
        QueueNumbers orders = numbers.of("orders \"a\"\\");
        orders.pushed(new UUID(0, 1), 3, true);
        orders.popped(1, 2, 20_000, false);
        orders.acked(1, 1);
        orders.take();
        orders.pushed(new UUID(0, 1), 1, false);

        assertThat(lines()).contains("queen_queue_pushed_total{queue=\"orders \\\"a\\\"\\\\\"} 4",
                "queen_queue_delivered_total{queue=\"orders \\\"a\\\"\\\\\"} 2",
                "queen_queue_acknowledged_total{queue=\"orders \\\"a\\\"\\\\\"} 1",
                "queen_queue_failed_total{queue=\"orders \\\"a\\\"\\\\\"} 1");
    }

    @Test
    void theNumberOfSeriesIsLimitedAndADeletedQueueHasNone() {
        numbers.lifetime().limit(2);
        for (String queue : new String[]{"a", "b", "c", "d"}) {
            numbers.of(queue).acked(1, 0);
        }

        assertThat(lines()).contains("queen_queue_acknowledged_total{queue=\"a\"} 1",
                "queen_queue_acknowledged_total{queue=\"_other\"} 2").noneMatch(line -> line.contains("\"c\""));

        numbers.forget(numbers.of("a"));
        assertThat(lines()).noneMatch(line -> line.contains("\"a\""))
                .contains("queen_queue_acknowledged_total{queue=\"_other\"} 2");
    }

    @Test
    void theAgeOfDeliveredMessagesIsAHistogram() {
        numbers.of("q").popped(1, 2, 7_000, false);
        numbers.of("q").popped(2, 1, 90_000_000, false);
        numbers.of("q").popped(3, 1, 7_200_000_000L, false);

        assertThat(lines()).contains("queen_delivery_age_seconds_bucket{le=\"0.005\"} 0",
                "queen_delivery_age_seconds_bucket{le=\"0.01\"} 2", "queen_delivery_age_seconds_bucket{le=\"60.0\"} 2",
                "queen_delivery_age_seconds_bucket{le=\"300.0\"} 3", "queen_delivery_age_seconds_bucket{le=\"+Inf\"} 4",
                "queen_delivery_age_seconds_sum 7290.014", "queen_delivery_age_seconds_count 4");
    }

    private List<String> lines() {
        return numbers.lifetime().text().lines().toList();
    }
}
