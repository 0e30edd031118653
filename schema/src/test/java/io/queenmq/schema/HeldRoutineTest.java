package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.schema.Api.Append;
import io.queenmq.schema.Api.Held;
import io.queenmq.schema.Api.Holder;
import io.queenmq.schema.Api.Reader;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class HeldRoutineTest {
    private static final String GROUP = "workers";

    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();

    @Test
    void nothingAskedGivesNoRow() {
        assertThat(api.held(0)).isEmpty();
    }

    @Test
    void missingPartitionGivesNoRow() {
        assertThat(api.held(0, new Reader(UUID.randomUUID(), GROUP))).isEmpty();
    }

    @Test
    void leaseIsToldWithTheHashesOfItsRange() {
        var partition = partitionOfThreeSegments();
        var wish = Wish.of(partition, GROUP, 4);
        api.lease(wish);

        var held = api.held(0, Reader.of(wish)).getFirst();

        assertThat(held).returns(partition.queue(), Held::queue).returns(partition.name(), Held::partition)
                .returns(wish.lease(), Held::lease).returns(0L, Held::committed).returns(4L, Held::leaseEnd)
                .returns(0L, Held::first);
        assertThat(held.hashes()).isEqualTo(Batch.of("a", "b", "c", "d", "e", "f").hashes());
    }

    @Test
    void finishedMessagesAreToldAsFarBackAsAsked() {
        var partition = partitionOfThreeSegments();
        var wish = Wish.of(partition, GROUP, 9);
        api.lease(wish);
        api.ack(Holder.of(wish, "{[0,7)}"));

        assertThat(api.held(0, Reader.of(wish)).getFirst().first()).isEqualTo(6);
        assertThat(api.held(1, Reader.of(wish)).getFirst().first()).isEqualTo(6);
        assertThat(api.held(2, Reader.of(wish)).getFirst().first()).isEqualTo(3);
        assertThat(api.held(100, Reader.of(wish)).getFirst().first()).isZero();
    }

    @Test
    void freePartitionIsToldUpToItsCursor() {
        var partition = partitionOfThreeSegments();
        var wish = Wish.of(partition, GROUP, 3);
        api.lease(wish);
        api.ack(Holder.of(wish, "{[0,3)}"));

        var held = api.held(10, Reader.of(wish)).getFirst();

        assertThat(held.lease()).isNull();
        assertThat(held.hashes()).isEqualTo(Batch.of("a", "b", "c").hashes());
    }

    @Test
    void groupWithoutACursorIsToldTheNamesOnly() {
        var partition = partitionOfThreeSegments();

        assertThat(api.held(10, new Reader(partition.id(), "strangers")).getFirst())
                .returns(partition.name(), Held::partition).returns(null, Held::lease).returns(null, Held::committed)
                .returns(null, Held::hashes);
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
