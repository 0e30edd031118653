package io.queenmq.engine.pop;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.engine.lease.LeasedRange;
import io.vertx.sqlclient.Tuple;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Who counts as a consumer. */
class ConsumerReportTest {
    private static final long SECOND = 1_000_000_000;
    private static final long NOW = 1000 * SECOND;

    private final ConsumerReport report = new ConsumerReport(NOW);

    @Test
    void nobodyIsThereUntilSomebodyIs() {
        assertThat(report.isNobody()).isTrue();
        report.waits("orders", "billing", 2);
        assertThat(report.isNobody()).isFalse();
    }

    @Test
    void waitingPopsAndLeasesAreCountedByQueueAndGroup() {
        report.waits("orders", "billing", 1);
        report.waits("orders", "billing", 1);
        report.waits("orders", "shipping", 1);
        report.holds(UUID.randomUUID(), Map.of(UUID.randomUUID(), lease("orders", 0, 60)));

        assertThat(counted()).containsExactly(Map.entry("orders/billing", "2 wait, 1 leased for 60000 ms"),
                Map.entry("orders/shipping", "1 wait, 0 leased for 0 ms"));
    }

    @Test
    void aLeaseOfManyPartitionsIsOneConsumerOfEachQueue() {
        report.holds(UUID.randomUUID(), Map.of(UUID.randomUUID(), lease("orders", 0, 30), UUID.randomUUID(),
                lease("orders", 0, 60), UUID.randomUUID(), lease("invoices", 0, 10)));

        assertThat(counted()).containsOnly(Map.entry("orders/billing", "0 wait, 1 leased for 60000 ms"),
                Map.entry("invoices/billing", "0 wait, 1 leased for 10000 ms"));
    }

    @Test
    void aLeaseThatRanOutOrEndedElsewhereDoesNotCount() {
        report.holds(UUID.randomUUID(), Map.of(UUID.randomUUID(), lease("orders", 0, -1)));
        LeasedRange ended = lease("orders", 5, 60);
        ended.end(NOW);
        report.holds(UUID.randomUUID(), Map.of(UUID.randomUUID(), ended));

        assertThat(report.isNobody()).isTrue();
    }

    @Test
    void aLeaseThatNobodyHasHeardOfIsAskedForAndThenDoubted() {
        report.holds(UUID.randomUUID(), Map.of(UUID.randomUUID(), lease("fresh", 1, 60)));
        assertThat(report.doubts()).isEmpty();

        report.holds(UUID.randomUUID(), Map.of(UUID.randomUUID(), lease("older", 5, 60)));
        report.holds(UUID.randomUUID(), Map.of(UUID.randomUUID(), lease("old", 11, 60)));

        assertThat(report.doubts()).hasSize(2);
        assertThat(counted()).containsOnlyKeys("fresh/billing", "older/billing");
    }

    @Test
    void aConsumerBetweenTwoPopsIsThere() {
        report.popped(popped("now and then", NOW - 2 * SECOND));
        report.popped(popped("long ago", NOW - 4 * SECOND));
        report.popped(new Backlog("never", "billing", null, null, 1, _ -> true, new PopSizes()));

        assertThat(counted()).containsOnlyKeys("now and then/billing");
    }

    @Test
    void thereIsABound() {
        for (int i = 0; i < ConsumerReport.READERS_MAX + 10; i++) {
            report.waits("queue-" + i, "billing", 1);
        }
        for (int i = 0; i < ConsumerReport.DOUBTS_MAX + 10; i++) {
            report.holds(UUID.randomUUID(), Map.of(UUID.randomUUID(), lease("orders", 5, 60)));
        }

        assertThat(counted()).hasSize(ConsumerReport.READERS_MAX);
        assertThat(report.doubts()).hasSize(ConsumerReport.DOUBTS_MAX);
    }

    private static Backlog popped(String queue, long atNs) {
        Backlog backlog = new Backlog(queue, "billing", null, null, 1, _ -> true, new PopSizes());
        backlog.popped(atNs);
        return backlog;
    }

    private static LeasedRange lease(String queue, long heardOfSecondsAgo, long secondsLeft) {
        return new LeasedRange("billing", queue, "a", NOW - heardOfSecondsAgo * SECOND, NOW + secondsLeft * SECOND);
    }

    private Map<String, String> counted() {
        Tuple arguments = report.addTo(Tuple.tuple());
        Map<String, String> counted = new LinkedHashMap<>();
        String[] queues = arguments.getArrayOfStrings(0);
        for (int i = 0; i < queues.length; i++) {
            counted.put(queues[i] + "/" + arguments.getArrayOfStrings(1)[i],
                    arguments.getArrayOfIntegers(2)[i] + " wait, " + arguments.getArrayOfIntegers(3)[i] + " leased for "
                            + arguments.getArrayOfLongs(4)[i] + " ms");
        }
        return counted;
    }
}
