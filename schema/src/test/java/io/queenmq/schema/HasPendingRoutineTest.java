package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.schema.Api.Append;
import io.queenmq.schema.Api.Holder;
import io.queenmq.schema.Api.PendingCheck;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class HasPendingRoutineTest {
    private static final String GROUP = "workers";

    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();

    @Test
    void emptyCallReturnsNoRow() {
        assertThat(api.hasPending()).isEmpty();
    }

    @Test
    void partitionWithUnreadMessagesIsPending() {
        var partition = database.newPartitionWith(1);

        assertThat(isPending(partition)).isTrue();
        assertThat(isQueuePending(partition)).isTrue();
    }

    @Test
    void emptyPartitionIsNotPending() {
        var partition = database.newPartition();

        assertThat(isPending(partition)).isFalse();
        assertThat(isQueuePending(partition)).isFalse();
    }

    @Test
    void finishedPartitionIsNotPending() {
        var partition = database.newPartitionWith(1);
        api.lease(true, LeaseRequest.of(partition, GROUP, 1));

        assertThat(isPending(partition)).isFalse();
        assertThat(isQueuePending(partition)).isFalse();
    }

    @Test
    void heldPartitionIsNotPendingUntilItsLeaseRunsOut() {
        var partition = database.newPartitionWith(1);
        api.lease(LeaseRequest.of(partition, GROUP, 1));
        assertThat(isPending(partition)).isFalse();
        assertThat(isQueuePending(partition)).isFalse();

        CursorRow.runOut(api, partition, GROUP);

        assertThat(isPending(partition)).isTrue();
        assertThat(isQueuePending(partition)).isTrue();
    }

    @Test
    void partitionThatWaitsForARetryIsNotPending() {
        var partition = database.newPartitionWith(1, Map.of("retry_delay_ms", 60_000));
        var request = LeaseRequest.of(partition, GROUP, 1);
        api.lease(request);
        api.nack(List.of(Holder.of(request, "{}")), Api.Failed.of(0));

        assertThat(isPending(partition)).isFalse();
        assertThat(isQueuePending(partition)).isFalse();
    }

    @Test
    void queueIsJudgedByPartitionsPushedToSinceTheMoment() {
        var partition = database.newPartitionWith(1);
        api.everywhere(
                "update partition set active_at = now() - interval '1 hour' where id = '" + partition.id() + "'");

        assertThat(isQueuePending(partition)).isFalse();
        assertThat(isPending(partition)).isTrue();
    }

    @Test
    void queueIsPendingThoughActivityIsNotedInSteps() {
        var partition = database.newPartitionWith(1);
        api.lease(true, LeaseRequest.of(partition, GROUP, 1));
        api.everywhere("update partition set active_at = now() - interval '8 s' where id = '" + partition.id() + "'");

        api.push(new Append(partition, 1, Batch.of("b")));

        assertThat(isQueuePending(partition, 5)).isTrue();
    }

    @Test
    void resultsHaveThePositionsOfTheRequests() {
        var full = database.newPartitionWith(1);
        var empty = database.newPartition();

        assertThat(api.hasPending(new PendingCheck(empty.queueId(), empty.id(), GROUP, 60),
                new PendingCheck(full.queueId(), null, GROUP, 60),
                new PendingCheck(UUID.randomUUID(), UUID.randomUUID(), GROUP, 60),
                new PendingCheck(full.queueId(), full.id(), "strangers", 60))).containsExactly(2, 4);
    }

    private boolean isPending(Partition partition) {
        return !api.hasPending(new PendingCheck(partition.queueId(), partition.id(), GROUP, null)).isEmpty();
    }

    private boolean isQueuePending(Partition partition) {
        return isQueuePending(partition, 60);
    }

    private boolean isQueuePending(Partition partition, int lookBackS) {
        return !api.hasPending(new PendingCheck(partition.queueId(), null, GROUP, lookBackS)).isEmpty();
    }
}
