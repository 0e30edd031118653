package io.queenmq.engine.pop;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.engine.lease.LeasedRange;
import io.vertx.sqlclient.Tuple;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The consumers that are counted. */
class ConsumerReportTest {
    private static final long SECOND = 1_000_000_000;
    private static final long NOW = 1000 * SECOND;

    private final ConsumerReport report = new ConsumerReport(NOW);

    @Test
    void aReportIsEmptyUntilAConsumerIsAdded() {
        assertThat(report.isEmpty()).isTrue();
        report.addWaiting("orders", "billing", 2);
        assertThat(report.isEmpty()).isFalse();
    }

    @Test
    void waitingPopsAndLeasesAreCountedByQueueAndGroup() {
        report.addWaiting("orders", "billing", 1);
        report.addWaiting("orders", "billing", 1);
        report.addWaiting("orders", "shipping", 1);
        report.addLease(UUID.randomUUID(), Map.of(UUID.randomUUID(), lease("orders", 0, 60)));

        assertThat(counted()).containsExactly(Map.entry("orders/billing", "2 wait, 1 leased for 60000 ms"),
                Map.entry("orders/shipping", "1 wait, 0 leased for 0 ms"));
    }

    @Test
    void aLeaseOfManyPartitionsIsOneConsumerOfEachQueue() {
        report.addLease(UUID.randomUUID(), Map.of(UUID.randomUUID(), lease("orders", 0, 30), UUID.randomUUID(),
                lease("orders", 0, 60), UUID.randomUUID(), lease("invoices", 0, 10)));

        assertThat(counted()).containsOnly(Map.entry("orders/billing", "0 wait, 1 leased for 60000 ms"),
                Map.entry("invoices/billing", "0 wait, 1 leased for 10000 ms"));
    }

    @Test
    void aLeaseThatExpiredOrEndedOnAnotherServerIsNotCounted() {
        report.addLease(UUID.randomUUID(), Map.of(UUID.randomUUID(), lease("orders", 0, -1)));
        LeasedRange ended = lease("orders", 5, 60);
        ended.end(NOW);
        report.addLease(UUID.randomUUID(), Map.of(UUID.randomUUID(), ended));

        assertThat(report.isEmpty()).isTrue();
    }

    @Test
    void anUnconfirmedLeaseIsCheckedAndLaterNotCounted() {
        report.addLease(UUID.randomUUID(), Map.of(UUID.randomUUID(), lease("fresh", 1, 60)));
        assertThat(report.unconfirmed()).isEmpty();

        report.addLease(UUID.randomUUID(), Map.of(UUID.randomUUID(), lease("older", 5, 60)));
        report.addLease(UUID.randomUUID(), Map.of(UUID.randomUUID(), lease("old", 11, 60)));

        assertThat(report.unconfirmed()).hasSize(2);
        assertThat(counted()).containsOnlyKeys("fresh/billing", "older/billing");
    }

    @Test
    void aConsumerBetweenTwoPopsIsCounted() {
        report.addRecentPop(popped("now and then", NOW - 2 * SECOND));
        report.addRecentPop(popped("long ago", NOW - 4 * SECOND));
        report.addRecentPop(new Backlog("never", "billing", null, null, 1, _ -> true, new PopSizes()));

        assertThat(counted()).containsOnlyKeys("now and then/billing");
    }

    @Test
    void theReportIsBounded() {
        for (int i = 0; i < ConsumerReport.CONSUMERS_MAX + 10; i++) {
            report.addWaiting("queue-" + i, "billing", 1);
        }
        for (int i = 0; i < ConsumerReport.UNCONFIRMED_MAX + 10; i++) {
            report.addLease(UUID.randomUUID(), Map.of(UUID.randomUUID(), lease("orders", 5, 60)));
        }

        assertThat(counted()).hasSize(ConsumerReport.CONSUMERS_MAX);
        assertThat(report.unconfirmed()).hasSize(ConsumerReport.UNCONFIRMED_MAX);
    }

    private static Backlog popped(String queue, long atNs) {
        Backlog backlog = new Backlog(queue, "billing", null, null, 1, _ -> true, new PopSizes());
        backlog.popped(atNs);
        return backlog;
    }

    private static LeasedRange lease(String queue, long confirmedSecondsAgo, long secondsLeft) {
        return new LeasedRange("billing", queue, "a", NOW - confirmedSecondsAgo * SECOND, NOW + secondsLeft * SECOND);
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
