package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.schema.Api.Append;
import io.queenmq.schema.Api.Opening;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A lease contains at most the requested number of bytes, and always at least one message. */
class LeaseBytesTest {
    private static final String GROUP = "workers";

    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void leasedMessagesFitTheByteLimit(boolean isAutoAck) {
        var partition = partitionOf(10, 1000);
        int line = line(1000).length() + 1;

        var given = lease(isAutoAck, 3L * line + 1, LeaseRequest.of(partition, GROUP, 100));

        assertThat(given).returns(0L, LeaseResult::first).returns(3L, LeaseResult::end).returns(3L * line,
                LeaseResult::bytes);
        if (isAutoAck) {
            assertThat(lease(true, 3L * line, LeaseRequest.of(partition, GROUP, 100))).returns(3L, LeaseResult::first)
                    .returns(6L, LeaseResult::end);
        }
    }

    @Test
    void oneMessageIsLeasedRegardlessOfItsSize() {
        var partition = partitionOf(3, 5000);

        assertThat(lease(false, 10L, LeaseRequest.of(partition, GROUP, 100))).returns(0L, LeaseResult::first)
                .returns(1L, LeaseResult::end);
    }

    @Test
    void smallMessagesAreLeasedTogetherDespiteALargeOne() {
        var partition = partitionOf(1, 50_000);
        for (int i = 1; i <= 20; i++) {
            api.push(new Append(partition, i, Batch.of("small")));
        }

        assertThat(lease(true, 10_000L, LeaseRequest.of(partition, GROUP, 100))).returns(1L, LeaseResult::end);
        assertThat(lease(true, 10_000L, LeaseRequest.of(partition, GROUP, 100))).returns(1L, LeaseResult::first)
                .returns(21L, LeaseResult::end);
    }

    @Test
    void aSegmentOfManyMessagesIsDividedByTheirMeanSize() {
        var partition = database.newPartition();
        api.push(new Append(partition, 0, Batch.ofLines(Collections.nCopies(10, line(1000)))));
        api.openCursors(new Opening(partition.id(), GROUP, null));
        int line = line(1000).length() + 1;

        assertThat(lease(true, 4L * line, LeaseRequest.of(partition, GROUP, 100))).returns(4L, LeaseResult::end);
        assertThat(lease(true, 100L * line, LeaseRequest.of(partition, GROUP, 100))).returns(4L, LeaseResult::first)
                .returns(10L, LeaseResult::end);
    }

    @Test
    void partitionsOfOneLeaseShareTheByteLimit() {
        var partitions = database.newPartitionsTogether(3);
        partitions.forEach(partition -> fill(partition, 4, 1000));
        long line = line(1000).length() + 1;
        UUID lease = partitions.getFirst().newLeaseId();

        var given = api.lease(false, 10 * line, LeaseRequest.of(partitions.getFirst(), GROUP, 100).as(lease),
                LeaseRequest.of(partitions.get(1), GROUP, 100).as(lease),
                LeaseRequest.of(partitions.get(2), GROUP, 100).as(lease));

        assertThat(given).extracting(LeaseResult::status).containsExactly("leased", "leased", "spared");
        assertThat(given).extracting(LeaseResult::bytes).startsWith(4 * line, 4 * line);
    }

    @Test
    void segmentSizesAreReadIfTheLargestMessageIsUnknown() {
        var partition = partitionOf(10, 1000);
        api.everywhere("update partition set largest_line = null where id = '" + partition.id() + "'");
        long line = line(1000).length() + 1;

        assertThat(lease(true, 3 * line, LeaseRequest.of(partition, GROUP, 100))).returns(3L, LeaseResult::end);
        api.push(new Append(partition, 10, Batch.of("small")));
        assertThat(largest(partition)).isNull();
    }

    @Test
    void theLargestSizeIsResetWhenAllMessagesAreRemoved() {
        var partition = partitionOf(1, 50_000);
        api.everywhere("update partition set tail = head where id = '" + partition.id() + "'");

        api.push(new Append(partition, 1, Batch.of("small")));

        assertThat(largest(partition)).isEqualTo(Batch.of("small").body().length);
        api.push(new Append(partition, 2, Batch.of("x")));
        assertThat(largest(partition)).isEqualTo(Batch.of("small").body().length);
    }

    @Test
    void aMessagePushedInATransactionOfTheUserCounts() {
        var partition = partitionOf(1, 10);
        api.execute("select queen.push(q.name, p.name, '\"" + "x".repeat(5000)
                + "\"', 't2') from queen.partition p join queen.queue q on q.id = p.queue_id where p.id = '"
                + partition.id() + "'");

        assertThat(largest(partition)).isBetween(5000, 5300);
    }

    private LeaseResult lease(boolean isAutoAck, Long byteLimit, LeaseRequest request) {
        return api.lease(isAutoAck, byteLimit, request).getFirst();
    }

    private Integer largest(Partition partition) {
        return api.list(rows -> rows.getObject(1, Integer.class),
                "select largest_line from queen.partition where id = ?", partition.id()).getFirst();
    }

    private Partition partitionOf(int messages, int bytes) {
        var partition = database.newPartition();
        fill(partition, messages, bytes);
        return partition;
    }

    private void fill(Partition partition, int messages, int bytes) {
        for (int i = 0; i < messages; i++) {
            api.push(new Append(partition, i, Batch.ofLines(List.of(line(bytes)))));
        }
        api.openCursors(new Opening(partition.id(), GROUP, null));
    }

    private static String line(int bytes) {
        return Batch.line("\"t\"", "null", "null", "\"" + "x".repeat(bytes) + "\"");
    }
}
