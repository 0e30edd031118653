package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.queenmq.schema.Api.Failed;
import io.queenmq.schema.Api.Holder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The last attempt before the dead letters, which is made alone. */
class LastAttemptTest extends AttemptsPlay {
    @Test
    void theLeaseOfALastAttemptHasNoOtherMessages() {
        var partitions = database.newPartitionsTogether(3, Map.of("retry_limit", 1, "retry_delay_ms", 0));
        open(partitions, 2);
        failAll(lease(partitions.get(0)));

        var lease = partitions.get(0).newLeaseId();
        var given = api.lease(partitions.stream().map(each -> LeaseRequest.of(each, GROUP, 10).as(lease))
                .toArray(LeaseRequest[]::new));

        assertThat(given).extracting(LeaseResult::status).containsExactly("leased", "spared", "spared");
        assertThat(given.getFirst()).returns(1L, LeaseResult::end).returns(true, LeaseResult::isAlone);
    }

    @Test
    void aLastAttemptIsNotAddedToAnExistingLease() {
        var partitions = database.newPartitionsTogether(3, Map.of("retry_limit", 1, "retry_delay_ms", 0));
        open(partitions, 2);
        failAll(lease(partitions.get(1)));

        var lease = partitions.get(0).newLeaseId();
        var given = api.lease(partitions.stream().map(each -> LeaseRequest.of(each, GROUP, 10).as(lease))
                .toArray(LeaseRequest[]::new));

        assertThat(given).extracting(LeaseResult::status).containsExactly("leased", "spared", "leased");
        assertThat(given).extracting(LeaseResult::isAlone).containsOnly(false);
    }

    @Test
    void aLastAttemptIsNotAddedToALeaseOfAnEarlierCall() {
        var partitions = database.newPartitionsTogether(2, Map.of("retry_limit", 1, "retry_delay_ms", 0));
        open(partitions, 2);
        failAll(lease(partitions.get(1)));
        var lease = partitions.get(0).newLeaseId();
        api.lease(LeaseRequest.of(partitions.get(0), GROUP, 10).as(lease));

        assertThat(api.lease(LeaseRequest.of(partitions.get(1), GROUP, 10).as(lease)).getFirst().status())
                .isEqualTo("spared");
    }

    @Test
    void aLastAttemptThatCannotBeLeasedDoesNotBlockOtherPartitions() {
        var partitions = database.newPartitionsTogether(2, Map.of("retry_limit", 1, "retry_delay_ms", 0));
        open(partitions, 2);
        failAll(lease(partitions.get(0)));
        api.operate("{}", "pause_partition", "me", partitions.get(0).id(), true);

        var lease = partitions.get(0).newLeaseId();
        var given = api.lease(partitions.stream().map(each -> LeaseRequest.of(each, GROUP, 10).as(lease))
                .toArray(LeaseRequest[]::new));

        assertThat(given).extracting(LeaseResult::status).containsExactly("waiting", "leased");
    }

    @Test
    void aRepeatedCallAddsNoMessagesToTheLease() {
        var partitions = database.newPartitionsTogether(2, Map.of("retry_limit", 1, "retry_delay_ms", 0));
        open(partitions, 2);
        failAll(lease(partitions.get(0)));
        var lease = partitions.get(0).newLeaseId();
        var requests = partitions.stream().map(each -> LeaseRequest.of(each, GROUP, 10).as(lease))
                .toArray(LeaseRequest[]::new);
        var once = api.lease(requests);

        assertThat(api.lease(requests)).extracting(LeaseResult::status, LeaseResult::isAlone)
                .isEqualTo(once.stream().map(given -> tuple(given.status(), given.isAlone())).toList());
    }

    @Test
    void onlySomeMessagesOfABatchAreLeasedAlone() {
        var partition = partition(10, 2);
        for (int delivery = 0; delivery < 2; delivery++) {
            var next = lease(partition);
            api.nack(List.of(Holder.of(next.request(), "{}")), Failed.of(3), Failed.of(4));
        }

        var sizes = new ArrayList<Integer>();
        for (var next = lease(partition); next != null; next = lease(partition)) {
            sizes.add(next.offsets().size());
            finish(next);
        }

        assertThat(sizes).containsExactly(3, 1, 1, 5);
    }

    @Test
    void autoAckedMessagesNeedNotBeAlone() {
        var partition = partition(5, 1);
        failAll(lease(partition));

        assertThat(api.lease(true, LeaseRequest.of(partition, GROUP, BATCH)).getFirst()).returns(5L, LeaseResult::end)
                .returns(false, LeaseResult::isAlone);
        assertEnds(partition, 5, List.of());
    }

    @Test
    void aRaisedRetryLimitRestoresBatches() {
        var partition = partition(5, 1);
        failAll(lease(partition));
        assertThat(lease(partition).offsets()).hasSize(1);
        release(partition);

        api.configure(partition.queue(), Map.of("retry_limit", 5));

        assertThat(lease(partition).offsets()).hasSize(5);
    }

    @Test
    void loweredRetryLimitDeadLettersNoMessageOfABatch() {
        var partition = partition(5, 5);
        failAll(lease(partition));
        lease(partition);
        api.configure(partition.queue(), Map.of("retry_limit", 0));

        runOut(partition);

        assertThat(DeadLetter.of(api, partition)).isEmpty();
        assertThat(lease(partition).offsets()).containsExactly(0L);
    }
}
