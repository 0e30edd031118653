package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.schema.Api.Append;
import io.queenmq.schema.Api.Failed;
import io.queenmq.schema.Api.Holder;
import io.queenmq.schema.Api.Opening;
import io.queenmq.schema.Api.Reader;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Partitions, deliveries and crashes for the tests of attempts. */
class AttemptsPlay {
    static final String GROUP = "workers";
    static final int BATCH = 100;

    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    final Api api = database.api();

    int crashesUntilDone(Partition partition, long poison) {
        int crashes = 0;
        for (var next = lease(partition); next != null; next = lease(partition)) {
            if (next.has(poison)) {
                runOut(partition);
                crashes++;
            } else {
                finish(next);
            }
        }
        return crashes;
    }

    /** The result of one delivery. */
    record Delivery(LeaseRequest request, LeaseResult given, List<Long> offsets) {
        boolean has(long offset) {
            return offsets.contains(offset);
        }
    }

    Partition partition(int messages, int retryLimit) {
        var partition = database.newPartitionWith(messages, Map.of("retry_limit", retryLimit, "retry_delay_ms", 0));
        api.subscribe(GROUP, partition.queue(), "", "", "all", null);
        return partition;
    }

    /** Fills each partition and creates the cursor of the group; returns a lease id for the first of them. */
    UUID open(List<Partition> partitions, int messages) {
        for (var partition : partitions) {
            api.push(new Append(partition, 0, Batch.ofSize(messages)));
            api.openCursors(new Opening(partition.id(), GROUP, null));
        }
        return partitions.getFirst().newLeaseId();
    }

    /** Returns the next delivery of up to a hundred messages; null if there is none. */
    Delivery lease(Partition partition) {
        var request = LeaseRequest.of(partition, GROUP, BATCH);
        var given = api.lease(request).getFirst();
        if (!given.isLeased()) {
            return null;
        }
        return new Delivery(request, given, api.list(rows -> rows.getLong(1), """
                select o
                from queen.cursor c
                cross join lateral generate_series(c.committed, c.lease_end - 1) o
                where c.partition_id = ? and c.group_name = ? and not coalesce(c.acked @> o, false)
                order by o""", partition.id(), GROUP));
    }

    /** Returns the next delivery of this number of messages. */
    Delivery whole(Partition partition, int messages) {
        var next = lease(partition);
        assertThat(next.offsets).containsExactlyElementsOf(LongStream.range(0, messages).boxed().toList());
        return next;
    }

    void failAll(Delivery delivery) {
        api.nack(List.of(Holder.of(delivery.request, "{}")),
                delivery.offsets.stream().map(Failed::of).toArray(Failed[]::new));
    }

    void finish(Delivery delivery) {
        ack(delivery, delivery.offsets.stream().mapToLong(Long::longValue).toArray());
    }

    void ack(Delivery delivery, long... offsets) {
        var ranges = Arrays.stream(offsets).mapToObj(offset -> "[" + offset + "," + (offset + 1) + ")").toList();
        assertThat(api.ack(Holder.of(delivery.request, "{" + String.join(",", ranges) + "}")).getFirst().isLive())
                .isTrue();
    }

    void runOut(Partition partition) {
        CursorRow.runOut(api, partition, GROUP);
        assertThat(api.expire(new Reader(partition.id(), GROUP))).hasSize(1);
    }

    void release(Partition partition) {
        assertThat(api.release(new Holder(partition.id(), GROUP, CursorRow.of(api, partition, GROUP).lease(), null)))
                .hasSize(1);
    }

    /** Returns the runs of failed messages, with their attempts. */
    List<String> failures(Partition partition) {
        return api.list(rows -> rows.getString(1), """
                select message_offset || '+' || message_count || ': ' || attempts
                from queen.failure
                where partition_id = ? and group_name = ?
                order by message_offset""", partition.id(), GROUP);
    }

    void assertEnds(Partition partition, long messages, List<Long> dead) {
        assertThat(DeadLetter.of(api, partition)).extracting(DeadLetter::offset).containsExactlyElementsOf(dead);
        assertThat(CursorRow.of(api, partition, GROUP)).returns(messages, CursorRow::committed)
                .returns((long) dead.size(), CursorRow::dead).returns(messages - dead.size(), CursorRow::completed)
                .returns(false, CursorRow::isFailing).returns(true, CursorRow::isFree);
        assertThat(failures(partition)).isEmpty();
    }
}
