package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queenmq.schema.Api.Append;
import io.queenmq.schema.Api.Appended;
import io.queenmq.schema.Api.Span;
import java.time.OffsetDateTime;
import java.util.Collections;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class PushRoutineTest {
    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();

    @Test
    void emptyPushReturnsNoRow() {
        assertThat(api.push()).isEmpty();
    }

    @Test
    void segmentIsStoredAtTheHead() {
        var partition = database.newPartition();

        assertThat(api.push(new Append(partition, 0, Batch.of("a", "b")))).extracting(Appended::base)
                .containsExactly(0L);
        assertThat(api.push(new Append(partition, 2, Batch.of("c")))).extracting(Appended::base).containsExactly(2L);

        assertThat(api.fetch(new Span(partition.id(), 0, 3))).extracting(Api.Segment::body)
                .containsExactly(Batch.of("a", "b").text(), Batch.of("c").text());
        assertThat(headOf(partition)).isEqualTo(3);
    }

    @Test
    void everyPartitionGetsItsSegmentInAnyOrderOfPartitions() {
        var partitions = database.newPartitions(50);
        Collections.shuffle(partitions);

        var appended = api.push(IntStream.range(0, 50)
                .mapToObj(i -> new Append(partitions.get(i), 0, Batch.of("of " + i))).toArray(Append[]::new));

        assertThat(appended).extracting(Appended::index)
                .containsExactlyElementsOf(IntStream.rangeClosed(1, 50).boxed().toList());
        for (int i = 0; i < 50; i++) {
            assertThat(api.fetch(new Span(partitions.get(i).id(), 0, 1))).extracting(Api.Segment::body)
                    .containsExactly(Batch.of("of " + i).text());
        }
    }

    @Test
    void partitionThatMovedOnIsLeftAloneAndTheNextOneIsServed() {
        var partitions = database.newPartitions(2);
        api.push(new Append(partitions.get(0), 0, Batch.of("another")));

        var appended = api.push(new Append(partitions.get(0), 0, Batch.of("mine")),
                new Append(partitions.get(1), 0, Batch.of("mine")));

        assertThat(appended).extracting(Appended::index).containsExactly(2);
        assertThat(headOf(partitions.get(0))).isEqualTo(1);
    }

    @Test
    void partitionThatDoesNotExistGetsNoRow() {
        var nowhere = new Partition(UUID.randomUUID(), "no such queue", UUID.randomUUID(), "no such partition");

        assertThat(api.push(new Append(nowhere, 0, Batch.of("a")))).isEmpty();
        assertThat(api.fetch(new Span(nowhere.id(), 0, 10))).isEmpty();
    }

    @Test
    void callWithADuplicatePartitionIsRejectedAsAWhole() {
        var partition = database.newPartition();

        assertThatThrownBy(
                () -> api.push(new Append(partition, 0, Batch.of("a")), new Append(partition, 0, Batch.of("b", "c"))))
                .hasMessageContaining("names a partition twice");

        assertThat(headOf(partition)).isZero();
        assertThat(api.fetch(new Span(partition.id(), 0, 10))).isEmpty();
    }

    @Test
    void timeNeverDecreasesWithinAPartition() {
        assertThat(pushedAfter("40 s").createdAt()).isAfter(OffsetDateTime.now().plusSeconds(20));
    }

    @Test
    void aMessageHasThePresentTimeAfterOneThatIsDatedFarInTheFuture() {
        assertThat(pushedAfter("1 day").createdAt()).isBefore(OffsetDateTime.now().plusMinutes(1));
    }

    private Api.Appended pushedAfter(String ahead) {
        var partition = database.newPartition();
        api.push(new Append(partition, 0, Batch.of("a")));
        api.everywhere("update partition set last_push_at = now() + interval '" + ahead + "' where id = '"
                + partition.id() + "'");
        return api.push(new Append(partition, 1, Batch.of("b"))).getFirst();
    }

    @Test
    void activityIsNotedInStepsOfTenSeconds() {
        var partition = database.newPartition();
        api.everywhere("update partition set active_at = now() - interval '11 s' where id = '" + partition.id() + "'");

        var before = Rows.strings(api.connection(), "select clock_timestamp()::text").getFirst();
        api.push(new Append(partition, 0, Batch.of("a")));

        assertThat(api.list(rows -> rows.getBoolean(1),
                "select active_at >= ?::timestamptz from queen.partition where id = ?", before, partition.id()))
                .containsExactly(true);
    }

    @Test
    void emptySegmentIsRefused() {
        var partition = database.newPartition();

        assertThatThrownBy(() -> api.push(new Append(partition, 0, new Batch(0, new byte[0], new byte[0]))))
                .hasMessageContaining("segment_is_not_empty");
    }

    @Test
    void segmentWithoutAHashForEachMessageIsRefused() {
        var partition = database.newPartition();
        var twoMessages = Batch.of("a", "b");

        assertThatThrownBy(() -> api.push(new Append(partition, 0, new Batch(2, new byte[8], twoMessages.body()))))
                .hasMessageContaining("segment_has_a_hash_for_each_message");
    }

    @Test
    void cursorsAreNotTouched() {
        var partition = database.newPartitionWith(1);
        var before = api.list(rows -> rows.getString(1),
                "select xmin::text || ctid::text from " + Shards.name(0) + ".cursor");

        api.push(new Append(partition, 1, Batch.of("next")));

        assertThat(api.list(rows -> rows.getString(1),
                "select xmin::text || ctid::text from " + Shards.name(0) + ".cursor")).isEqualTo(before);
    }

    private long headOf(Partition partition) {
        return Rows.number(api.connection(), "select head from queen.partition where id = ?", partition.id());
    }
}
