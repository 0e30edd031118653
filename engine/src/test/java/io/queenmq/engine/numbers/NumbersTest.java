package io.queenmq.engine.numbers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Counting in memory, between two reports. */
class NumbersTest {
    private static final UUID PARTITION = UUID.randomUUID();

    private final Numbers numbers = new Numbers();
    private final QueueNumbers orders = numbers.of("orders");
    private final QueueNumbers invoices = numbers.of("invoices");

    @Test
    void aRequestAboutSeveralQueuesCountsOnceInEachAndOnceForTheServer() {
        long request = numbers.pushRequested();
        orders.pushRequested(request);
        invoices.pushRequested(request);
        orders.pushRequested(request);
        orders.pushRequested(numbers.pushRequested());

        assertThat(orders.take()[0]).isEqualTo(2);
        assertThat(invoices.take()[0]).isEqualTo(1);
        assertThat(numbers.total().take()[0]).isEqualTo(2);
    }

    @Test
    void aQueueIsEnlistedForTheReportOnce() {
        orders.pushed(PARTITION, 5, true);
        orders.pushed(PARTITION, 2, false);
        invoices.acked(1, 0);

        assertThat(numbers.touched()).containsExactly(orders, invoices);
        assertThat(orders.take()[1]).isEqualTo(7);
        numbers.touched().clear();
        assertThat(orders.take()[1]).as("taken before").isZero();
        orders.pushed(PARTITION, 1, false);
        assertThat(numbers.touched()).containsExactly(orders);
    }

    @Test
    void countsOfARemovedQueueThatAModuleReferencesAreReported() {
        numbers.removeUnknown(queue -> queue.equals("invoices"));

        orders.pushed(PARTITION, 1, true);

        assertThat(numbers.touched()).containsExactly(orders);
        assertThat(numbers.of("orders")).isNotSameAs(orders);
        assertThat(numbers.of("invoices")).isSameAs(invoices);
    }

    @Test
    void lagIsSummedByMessageAndNeverNegative() {
        long request = numbers.popAnswered();
        orders.popped(request, 3, 2_000_000, false);
        orders.popped(request, 1, 8_000_000, false);
        orders.popped(request, 1, -5_000, true);

        long[] taken = orders.take();
        assertThat(taken[2]).as("one pop").isEqualTo(1);
        assertThat(taken[3]).as("messages").isEqualTo(5);
        assertThat(taken[6]).as("autoAck").isEqualTo(1);
        assertThat(taken[10]).as("sum of lag").isEqualTo(3 * 2000 + 8000);
        assertThat(taken[Counts.LAG_MAX]).isEqualTo(8000);
    }

    @Test
    void waitingPopsAreReportedOnceAPeriodOrWhenTheirNumberRises() {
        orders.recordWaitingPops(3, 1);
        assertThat(orders.take()[Counts.WAITING_POPS]).isEqualTo(3);
        numbers.touched().clear();

        orders.recordWaitingPops(2, 1);
        assertThat(numbers.touched()).isEmpty();
        orders.recordWaitingPops(4, 1);
        orders.recordWaitingPops(2, 2);

        assertThat(numbers.touched()).containsExactly(orders);
        assertThat(orders.take()[Counts.WAITING_POPS]).as("the maximum that was not reported").isEqualTo(4);
    }

    @Test
    void countsOfOneQueueAreSummedExceptMaxima() {
        long[] one = new long[Counts.SIZE];
        long[] other = new long[Counts.SIZE];
        one[0] = 1;
        other[0] = 2;
        one[Counts.LAG_MAX] = 7;
        other[Counts.LAG_MAX] = 5;

        assertThat(Counts.sum(one, other)[0]).isEqualTo(3);
        assertThat(Counts.sum(one, other)[Counts.LAG_MAX]).isEqualTo(7);
    }
}
