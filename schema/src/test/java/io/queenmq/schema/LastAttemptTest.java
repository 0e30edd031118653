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
    void nothingElseIsUnderTheLease() {
        var partitions = database.newPartitionsTogether(3, Map.of("retry_limit", 1, "retry_delay_ms", 0));
        open(partitions, 2);
        failAll(lease(partitions.get(0)));

        var lease = partitions.get(0).newLeaseId();
        var given = api.lease(partitions.stream().map(each -> Wish.of(each, GROUP, 10).as(lease)).toArray(Wish[]::new));

        assertThat(given).extracting(Given::status).containsExactly("leased", "spared", "spared");
        assertThat(given.getFirst()).returns(1L, Given::end).returns(true, Given::isAlone);
    }

    @Test
    void itDoesNotJoinWhatWasGivenBefore() {
        var partitions = database.newPartitionsTogether(3, Map.of("retry_limit", 1, "retry_delay_ms", 0));
        open(partitions, 2);
        failAll(lease(partitions.get(1)));

        var lease = partitions.get(0).newLeaseId();
        var given = api.lease(partitions.stream().map(each -> Wish.of(each, GROUP, 10).as(lease)).toArray(Wish[]::new));

        assertThat(given).extracting(Given::status).containsExactly("leased", "spared", "leased");
        assertThat(given).extracting(Given::isAlone).containsOnly(false);
    }

    @Test
    void itDoesNotJoinWhatAnEarlierCallGave() {
        var partitions = database.newPartitionsTogether(2, Map.of("retry_limit", 1, "retry_delay_ms", 0));
        open(partitions, 2);
        failAll(lease(partitions.get(1)));
        var lease = partitions.get(0).newLeaseId();
        api.lease(Wish.of(partitions.get(0), GROUP, 10).as(lease));

        assertThat(api.lease(Wish.of(partitions.get(1), GROUP, 10).as(lease)).getFirst().status()).isEqualTo("spared");
    }

    @Test
    void itKeepsNoOtherPartitionBackWhileItCannotBeGiven() {
        var partitions = database.newPartitionsTogether(2, Map.of("retry_limit", 1, "retry_delay_ms", 0));
        open(partitions, 2);
        failAll(lease(partitions.get(0)));
        api.operate("{}", "pause_partition", "me", partitions.get(0).id(), true);

        var lease = partitions.get(0).newLeaseId();
        var given = api.lease(partitions.stream().map(each -> Wish.of(each, GROUP, 10).as(lease)).toArray(Wish[]::new));

        assertThat(given).extracting(Given::status).containsExactly("waiting", "leased");
    }

    @Test
    void callThatIsRepeatedAddsNothingToIt() {
        var partitions = database.newPartitionsTogether(2, Map.of("retry_limit", 1, "retry_delay_ms", 0));
        open(partitions, 2);
        failAll(lease(partitions.get(0)));
        var lease = partitions.get(0).newLeaseId();
        var wishes = partitions.stream().map(each -> Wish.of(each, GROUP, 10).as(lease)).toArray(Wish[]::new);
        var once = api.lease(wishes);

        assertThat(api.lease(wishes)).extracting(Given::status, Given::isAlone)
                .isEqualTo(once.stream().map(given -> tuple(given.status(), given.isAlone())).toList());
    }

    @Test
    void onlySomeOfABatchComeAloneAndTheOthersInBatches() {
        var partition = partition(10, 2);
        for (int delivery = 0; delivery < 2; delivery++) {
            var next = lease(partition);
            api.nack(List.of(Holder.of(next.wish(), "{}")), Failed.of(3), Failed.of(4));
        }

        var sizes = new ArrayList<Integer>();
        for (var next = lease(partition); next != null; next = lease(partition)) {
            sizes.add(next.offsets().size());
            finish(next);
        }

        assertThat(sizes).containsExactly(3, 1, 1, 5);
    }

    @Test
    void whatIsFinishedWhenItIsGivenNeedNotComeAlone() {
        var partition = partition(5, 1);
        failAll(lease(partition));

        assertThat(api.lease(true, Wish.of(partition, GROUP, BATCH)).getFirst()).returns(5L, Given::end)
                .returns(false, Given::isAlone);
        assertEnds(partition, 5, List.of());
    }

    @Test
    void raisedRetryLimitBringsBatchesBack() {
        var partition = partition(5, 1);
        failAll(lease(partition));
        assertThat(lease(partition).offsets()).hasSize(1);
        release(partition);

        api.configure(partition.queue(), Map.of("retry_limit", 5));

        assertThat(lease(partition).offsets()).hasSize(5);
    }

    @Test
    void loweredRetryLimitKillsNobodyWhoWasNotAlone() {
        var partition = partition(5, 5);
        failAll(lease(partition));
        lease(partition);
        api.configure(partition.queue(), Map.of("retry_limit", 0));

        runOut(partition);

        assertThat(DeadLetter.of(api, partition)).isEmpty();
        assertThat(lease(partition).offsets()).containsExactly(0L);
    }
}
