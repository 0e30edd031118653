package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.schema.Api.Append;
import io.queenmq.schema.Api.Holder;
import io.queenmq.schema.Api.Opening;
import io.queenmq.schema.Api.Resolved;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ResolveRoutineTest {
    private static final String GROUP = "workers";

    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();

    @Test
    void missingQueueHasNoPartition() {
        assertThat(api.resolve(UUID.randomUUID(), GROUP, null, "", 10)).isEmpty();
    }

    @Test
    void everyPendingPartitionIsFoundPageByPage() {
        database.assumeOneShard();
        var partitions = database.newPartitions(25);
        for (int i = 0; i < 25; i += 3) {
            api.push(new Append(partitions.get(i), 0, Batch.of("a")));
        }

        var found = new ArrayList<String>();
        for (var page = page(partitions, ""); !page.isEmpty(); page = page(partitions, lastNameOf(page))) {
            page.stream().filter(Resolved::isPending).map(Resolved::name).forEach(found::add);
        }

        assertThat(found).containsExactlyInAnyOrder("partition-00000", "partition-00003", "partition-00006",
                "partition-00009", "partition-00012", "partition-00015", "partition-00018", "partition-00021",
                "partition-00024");
    }

    @Test
    void theLastExaminedPartitionIsTheLastRow() {
        database.assumeOneShard();
        var partitions = database.newPartitions(5);
        api.push(new Append(partitions.get(0), 0, Batch.of("a")), new Append(partitions.get(2), 0, Batch.of("a")));

        assertThat(page(partitions, "").getLast()).returns("partition-00002", Resolved::name).returns(true,
                Resolved::isPending);
        assertThat(page(partitions, "partition-00000").getLast()).returns("partition-00004", Resolved::name)
                .returns(false, Resolved::isPending);
    }

    @Test
    void partitionTheGroupHasFinishedIsNotPending() {
        var partition = database.newPartitionWith(1);
        api.lease(true, LeaseRequest.of(partition, GROUP, 1));

        assertThat(api.resolve(partition.queueId(), GROUP, null, "", 10)).extracting(Resolved::isPending)
                .containsOnly(false);
        assertThat(api.resolve(partition.queueId(), "strangers", null, "", 10)).filteredOn(Resolved::isPending)
                .extracting(Resolved::partition).containsExactly(partition.id());
    }

    @Test
    void aPartitionWithRemovedMessagesOnlyIsNotPending() {
        var partition = database.newPartitionWith(2);
        api.everywhere("update partition set tail = 2 where id = '" + partition.id() + "'");

        assertThat(api.resolve(partition.queueId(), GROUP, null, "", 10)).filteredOn(Resolved::isPending).isEmpty();
    }

    @Test
    void heldPartitionIsFoundWithTheMomentItMayBeFree() {
        var partition = database.newPartitionWith(2);
        api.lease(LeaseRequest.of(partition, GROUP, 1));

        assertThat(pending(partition).untilMs()).isBetween(10_000L, 60_000L);

        CursorRow.runOut(api, partition, GROUP);
        assertThat(pending(partition).untilMs()).isNull();
    }

    @Test
    void waitingPartitionIsFoundWithTheMomentItIsDue() {
        var partition = database.newPartitionWith(1, java.util.Map.of("retry_delay_ms", 60_000));
        var request = LeaseRequest.of(partition, GROUP, 1);
        api.lease(request);
        api.nack(List.of(Holder.of(request, "{}")), Api.Failed.of(0));

        assertThat(pending(partition).untilMs()).isBetween(10_000L, 60_000L);
    }

    @Test
    void partitionsPushedToSinceAMomentAreFoundWithoutTheOthers() {
        var partitions = database.newPartitions(3);
        api.push(new Append(partitions.get(0), 0, Batch.of("a")), new Append(partitions.get(1), 0, Batch.of("a")));
        age(partitions.get(0), "1 hour");

        assertThat(api.resolve(partitions.getFirst().queueId(), GROUP, 300, "", 10)).extracting(Resolved::name)
                .containsExactly("partition-00001");
    }

    @Test
    void finishedPartitionsDoNotHideUnreadOnes() {
        var partitions = database.newPartitions(6);
        for (var partition : partitions) {
            api.push(new Append(partition, 0, Batch.of("a")));
            api.openCursors(new Opening(partition.id(), GROUP, null));
        }
        age(partitions.getFirst(), "30 s");
        partitions.stream().skip(1).forEach(partition -> api.lease(true, LeaseRequest.of(partition, GROUP, 1)));

        assertThat(api.resolve(partitions.getFirst().queueId(), GROUP, 60, "", 2)).extracting(Resolved::name)
                .containsExactly("partition-00000");
    }

    @Test
    void partitionIsFoundThoughItsActivityIsNotedInSteps() {
        var partition = database.newPartitionWith(1);
        age(partition, "8 s");

        api.push(new Append(partition, 1, Batch.of("b")));

        assertThat(api.resolve(partition.queueId(), GROUP, 1, "", 10)).extracting(Resolved::partition)
                .containsExactly(partition.id());
    }

    @Test
    void partitionWithACursorAtItsHeadIsNotPending() {
        var partition = database.newPartitionWith(1);
        api.openCursors(new Opening(partition.id(), "late", OffsetDateTime.now().plusHours(1)));

        assertThat(api.resolve(partition.queueId(), "late", null, "", 10)).filteredOn(Resolved::isPending).isEmpty();
    }

    private List<Resolved> page(List<Partition> partitions, String after) {
        return api.resolve(partitions.getFirst().queueId(), GROUP, null, after, 4);
    }

    private static String lastNameOf(List<Resolved> page) {
        return page.stream().map(Resolved::name).max(String::compareTo).orElseThrow();
    }

    private Resolved pending(Partition partition) {
        return api.resolve(partition.queueId(), GROUP, null, "", 10).stream().filter(Resolved::isPending).findFirst()
                .orElseThrow();
    }

    private void age(Partition partition, String by) {
        api.everywhere(
                "update partition set active_at = now() - interval '" + by + "' where id = '" + partition.id() + "'");
    }
}
