package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.schema.Api.Append;
import io.queenmq.schema.Api.Segment;
import io.queenmq.schema.Api.Span;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class FetchRoutineTest {
    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();

    @Test
    void emptyCallReturnsNoRow() {
        assertThat(api.fetch()).isEmpty();
    }

    @Test
    void everySegmentThatHoldsAnOffsetOfTheRangeIsReturned() {
        var partition = partitionOfThreeSegments();

        assertThat(api.fetch(new Span(partition.id(), 0, 9))).extracting(Segment::base).containsExactly(0L, 3L, 6L);
        assertThat(api.fetch(new Span(partition.id(), 2, 4))).extracting(Segment::base).containsExactly(0L, 3L);
        assertThat(api.fetch(new Span(partition.id(), 3, 6))).extracting(Segment::base).containsExactly(3L);
        assertThat(api.fetch(new Span(partition.id(), 8, 100))).extracting(Segment::base).containsExactly(6L);
    }

    @Test
    void rangeWithoutMessagesReturnsNoRow() {
        var partition = partitionOfThreeSegments();

        assertThat(api.fetch(new Span(partition.id(), 9, 20), new Span(partition.id(), 4, 4))).isEmpty();
    }

    @Test
    void rangeWithARemovedBeginningReturnsTheRest() {
        var partition = partitionOfThreeSegments();
        api.everywhere("delete from segment where base = 0 and partition_id = '" + partition.id() + "'");

        assertThat(api.fetch(new Span(partition.id(), 1, 9))).extracting(Segment::base).containsExactly(3L, 6L);
    }

    @Test
    void resultsHaveThePositionsOfTheRanges() {
        var partition = partitionOfThreeSegments();
        var other = database.newPartitionWith(1);

        assertThat(
                api.fetch(new Span(partition.id(), 0, 6), new Span(other.id(), 0, 1), new Span(partition.id(), 0, 1)))
                .extracting(Segment::index).containsExactly(1, 1, 2, 3);
    }

    @Test
    void fetchStopsAtTheMaximumNumberOfBytes() {
        var partitions = database.newPartitionsTogether(2);
        var partition = threeSegmentsIn(partitions.getFirst());
        var other = oneSegmentIn(partitions.getLast(), 1);
        int bytes = Batch.ofSize(3).body().length;

        assertThat(api.fetch(2 * bytes, new Span(partition.id(), 1, 9), new Span(other.id(), 0, 1))).containsExactly(
                new Segment(1, 0, 3, Batch.ofSize(3).text()), new Segment(1, 3, 3, Batch.ofSize(3).text()),
                new Segment(1, 6, 0, null), new Segment(2, 0, 0, null));
    }

    @Test
    void oneSegmentIsReadRegardlessOfItsSize() {
        var partition = partitionOfThreeSegments();

        assertThat(api.fetch(1, new Span(partition.id(), 2, 9)))
                .containsExactly(new Segment(1, 0, 3, Batch.ofSize(3).text()), new Segment(1, 3, 0, null));
    }

    @Test
    void aLimitedRangeCanBeFetchedFromTheMiddleOfASegment() {
        var partitions = database.newPartitionsTogether(2);
        var partition = threeSegmentsIn(partitions.getFirst());
        var other = oneSegmentIn(partitions.getLast(), 3);

        assertThat(api.fetch(1, new Span(other.id(), 0, 3), new Span(partition.id(), 4, 9)))
                .contains(new Segment(2, 4, 0, null));
    }

    private Partition partitionOfThreeSegments() {
        return threeSegmentsIn(database.newPartition());
    }

    private Partition oneSegmentIn(Partition partition, int messages) {
        api.push(new Append(partition, 0, Batch.ofSize(messages)));
        return partition;
    }

    private Partition threeSegmentsIn(Partition partition) {
        for (int base = 0; base < 9; base += 3) {
            api.push(new Append(partition, base, Batch.ofSize(3)));
        }
        return partition;
    }
}
