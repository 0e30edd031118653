package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.schema.Api.Append;
import io.queenmq.schema.Api.Holder;
import io.queenmq.schema.Api.LoadedLease;
import io.queenmq.schema.Api.Reader;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class LoadLeasesRoutineTest {
    private static final String GROUP = "workers";

    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();

    @Test
    void emptyCallReturnsNoRow() {
        assertThat(api.loadLeases(0)).isEmpty();
    }

    @Test
    void missingPartitionReturnsNoRow() {
        assertThat(api.loadLeases(0, new Reader(UUID.randomUUID(), GROUP))).isEmpty();
    }

    @Test
    void leaseIsReturnedWithTheHashesOfItsRange() {
        var partition = partitionOfThreeSegments();
        var request = LeaseRequest.of(partition, GROUP, 4);
        api.lease(request);

        var held = api.loadLeases(0, Reader.of(request)).getFirst();

        assertThat(held).returns(partition.queue(), LoadedLease::queue)
                .returns(partition.name(), LoadedLease::partition).returns(request.lease(), LoadedLease::lease)
                .returns(0L, LoadedLease::committed).returns(4L, LoadedLease::leaseEnd).returns(0L, LoadedLease::first);
        assertThat(held.hashes()).isEqualTo(Batch.of("a", "b", "c", "d", "e", "f").hashes());
    }

    @Test
    void finishedMessagesAreReturnedUpToTheLookBack() {
        var partition = partitionOfThreeSegments();
        var request = LeaseRequest.of(partition, GROUP, 9);
        api.lease(request);
        api.ack(Holder.of(request, "{[0,7)}"));

        assertThat(api.loadLeases(0, Reader.of(request)).getFirst().first()).isEqualTo(6);
        assertThat(api.loadLeases(1, Reader.of(request)).getFirst().first()).isEqualTo(6);
        assertThat(api.loadLeases(2, Reader.of(request)).getFirst().first()).isEqualTo(3);
        assertThat(api.loadLeases(100, Reader.of(request)).getFirst().first()).isZero();
    }

    @Test
    void hashesOfAFreePartitionEndAtItsCursor() {
        var partition = partitionOfThreeSegments();
        var request = LeaseRequest.of(partition, GROUP, 3);
        api.lease(request);
        api.ack(Holder.of(request, "{[0,3)}"));

        var held = api.loadLeases(10, Reader.of(request)).getFirst();

        assertThat(held.lease()).isNull();
        assertThat(held.hashes()).isEqualTo(Batch.of("a", "b", "c").hashes());
    }

    @Test
    void groupWithoutACursorGetsOnlyTheNames() {
        var partition = partitionOfThreeSegments();

        assertThat(api.loadLeases(10, new Reader(partition.id(), "strangers")).getFirst())
                .returns(partition.name(), LoadedLease::partition).returns(null, LoadedLease::lease)
                .returns(null, LoadedLease::committed).returns(null, LoadedLease::hashes);
    }

    private Partition partitionOfThreeSegments() {
        var partition = database.newPartition();
        api.push(new Append(partition, 0, Batch.of("a", "b", "c")));
        api.push(new Append(partition, 3, Batch.of("d", "e", "f")));
        api.push(new Append(partition, 6, Batch.of("g", "h", "i")));
        api.openCursors(new Api.Opening(partition.id(), GROUP, null));
        return partition;
    }
}
