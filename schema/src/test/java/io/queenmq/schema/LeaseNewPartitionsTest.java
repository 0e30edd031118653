package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.schema.Api.Append;
import io.queenmq.schema.Api.Opening;
import io.queenmq.schema.Api.Reader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** New partitions of a group are leased like others, with one write. */
class LeaseNewPartitionsTest {
    private static final int PLAYS = 150;
    private static final long SEED = 18;

    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();

    @Test
    void cursorBeginsWithItsLease() {
        var partitions = database.newPartitionsTogether(3);
        partitions.forEach(partition -> api.push(new Append(partition, 0, Batch.ofSize(1))));
        var leaseId = partitions.getFirst().newLeaseId();

        var given = api.leaseAgain(null, partitions.stream()
                .map(partition -> LeaseRequest.of(partition, "new", 10).as(leaseId)).toArray(LeaseRequest[]::new));

        assertThat(given).hasSize(3).allMatch(LeaseResult::isLeased);
        assertThat(writesOf("new", partitions)).containsOnly(0L);
        assertThat(partitionsOf(leaseId))
                .containsExactlyInAnyOrderElementsOf(partitions.stream().map(Partition::id).toList());
    }

    /**
     * One group has no cursors in the partitions; another one had its cursors opened before. The results must be equal.
     */
    @Test
    void newPartitionsAreLeasedLikeOthers() {
        var random = new Random(SEED);
        for (int play = 0; play < PLAYS; play++) {
            var partitions = database.newPartitionsTogether(1 + random.nextInt(5));
            partitions.forEach(partition -> fill(partition, random));
            // Some partitions are known to both groups.
            openings("new", partitions.stream().filter(_ -> random.nextInt(8) == 0).toList());
            openings("known", partitions);
            int batch = 1 + random.nextInt(8);
            int partitionLimit = 1 + random.nextInt(partitions.size());
            int delay = random.nextInt(10) == 0 ? 60 : 0;
            int perLease = 1 + random.nextInt(partitions.size());
            boolean isAutoAck = random.nextInt(4) == 0;
            Long byteLimit = random.nextBoolean() ? null : 100L + random.nextInt(1500);

            var ofNew = api.leaseAgain(isAutoAck, byteLimit,
                    requests(partitions, "new", batch, partitionLimit, delay, perLease));
            var ofKnown = api.lease(isAutoAck, byteLimit,
                    requests(partitions, "known", batch, partitionLimit, delay, perLease));

            assertThat(ofNew).as("play %d", play).usingRecursiveFieldByFieldElementComparatorIgnoringFields("untilMs")
                    .isEqualTo(ofKnown);
            assertThat(placesOf("new", partitions)).as("play %d", play).isEqualTo(placesOf("known", partitions));
        }
    }

    /** A group that subscribed before the messages expired and reads the partition for the first time. */
    @ParameterizedTest
    @CsvSource({"false,false", "false,true", "true,false", "true,true"})
    void expiredMessagesAreNotLeasedWithANewCursor(boolean isAutoAck, boolean hasDeadLetters) {
        var partition = expiringPartition(hasDeadLetters, 2);
        api.push(new Append(partition, 2, Batch.ofSize(3)));

        var given = api.leaseAgain(isAutoAck, null, LeaseRequest.of(partition, "new", 10));

        assertThat(given).hasSize(1).allMatch(LeaseResult::isLeased).first().returns(2L, LeaseResult::first).returns(5L,
                LeaseResult::end);
        assertThat(CursorRow.of(api, partition, "new")).returns(hasDeadLetters ? 2L : 0L, CursorRow::dead)
                .returns(hasDeadLetters ? 0L : 2L, CursorRow::expired);
        assertThat(DeadLetter.of(api, partition)).hasSize(hasDeadLetters ? 2 : 0);
    }

    @Test
    void partitionWithOnlyExpiredMessagesIsEmptyForANewCursor() {
        var partition = expiringPartition(true, 2);

        assertThat(api.leaseAgain(null, LeaseRequest.of(partition, "new", 10))).extracting(LeaseResult::status)
                .containsExactly("empty");
        assertThat(DeadLetter.of(api, partition)).extracting(DeadLetter::group).containsOnly("new").hasSize(2);
    }

    /** The other partitions of the lease id are leased in the same call. */
    @Test
    void freshPartitionsAreLeasedBesideAnExpiredOne() {
        var partitions = database.newPartitionsTogether(2, expiring(true));
        var stale = partitions.getFirst();
        var fresh = partitions.getLast();
        expire(stale, 1);
        api.push(new Append(fresh, 0, Batch.ofSize(1)));
        var leaseId = stale.newLeaseId();

        var given = api.leaseAgain(null, LeaseRequest.of(stale, "new", 10).as(leaseId),
                LeaseRequest.of(fresh, "new", 10).as(leaseId));

        assertThat(given).extracting(LeaseResult::status).containsExactly("empty", "leased");
    }

    /** More messages expired than one call removes: the cursor exists, and the caller evicts the rest before it leases. */
    @Test
    void partitionWithTooManyExpiredMessagesIsNotLeased() {
        var partition = expiringPartition(false, 1500);
        api.push(new Append(partition, 1500, Batch.ofSize(1)));

        assertThat(api.leaseAgain(null, LeaseRequest.of(partition, "new", 10))).isEmpty();

        assertThat(CursorRow.of(api, partition, "new")).returns(1000L, CursorRow::committed);
        assertThat(api.evict(new Reader(partition.id(), "new"))).isEmpty();
        assertThat(api.lease(LeaseRequest.of(partition, "new", 10)).getFirst()).returns(1500L, LeaseResult::first);
    }

    /** A partition whose messages are older than its queue allows, and a group that subscribed before they were pushed. */
    private Partition expiringPartition(boolean hasDeadLetters, int messages) {
        var partition = database.newPartition(expiring(hasDeadLetters));
        expire(partition, messages);
        return partition;
    }

    private static Map<String, Object> expiring(boolean hasDeadLetters) {
        return Map.of("max_wait_time_s", 100, "dead_letter_queue", hasDeadLetters);
    }

    private void expire(Partition partition, int messages) {
        api.subscribe("new", partition.queue(), "", "", "all", null);
        api.execute("update queen.subscription set subscribed_at = subscribed_at - interval '1000 s'"
                + " where queue_name = '" + partition.queue() + "'");
        api.push(new Append(partition, 0, Batch.ofSize(messages)));
        new Upkeep(api).age(partition, 101);
    }

    private void fill(Partition partition, Random random) {
        int head = 0;
        for (int i = random.nextInt(4); i > 0; i--) {
            int messages = 1 + random.nextInt(4);
            api.push(new Append(partition, head, Batch.ofSize(messages)));
            head += messages;
        }
        int unusual = random.nextInt(12);
        if (unusual == 0) {
            api.everywhere("update partition set is_paused = true where id = '" + partition.id() + "'");
        } else if (unusual == 1 && head > 1) {
            api.everywhere("update partition set removed = '{[1,2)}' where id = '" + partition.id() + "'");
        } else if (unusual == 2 && head > 1) {
            api.everywhere("update partition set tail = 1 where id = '" + partition.id() + "'");
        } else if (unusual == 3) {
            api.everywhere("update partition set largest_line = null where id = '" + partition.id() + "'");
        }
    }

    private void openings(String group, List<Partition> partitions) {
        api.openCursors(
                partitions.stream().map(partition -> new Opening(partition.id(), group, null)).toArray(Opening[]::new));
    }

    /** The number of adjacent partitions under one lease id. */
    private static LeaseRequest[] requests(List<Partition> partitions, String group, int batch, int partitionLimit,
            int delay, int perLease) {
        var requests = new ArrayList<LeaseRequest>();
        UUID leaseId = null;
        for (int i = 0; i < partitions.size(); i++) {
            leaseId = i % perLease == 0 ? partitions.get(i).newLeaseId() : leaseId;
            requests.add(LeaseRequest.of(partitions.get(i), group, batch).withPartitionLimit(partitionLimit)
                    .delayedBy(delay).as(leaseId));
        }
        return requests.toArray(LeaseRequest[]::new);
    }

    private List<String> placesOf(String group, List<Partition> partitions) {
        return partitions.stream().flatMap(partition -> column(
                "select row(committed, acked, lease_id is null, lease_end, is_alone, completed_count, last_ack_at is null)::text"
                        + " from queen.cursor where partition_id = ? and group_name = ?",
                partition, group)).toList();
    }

    private Stream<String> column(String sql, Partition partition, String group) {
        return api.list(rows -> rows.getString(1), sql, partition.id(), group).stream();
    }

    private List<Long> writesOf(String group, List<Partition> partitions) {
        return partitions.stream()
                .flatMap(
                        partition -> column("select writes from queen.cursor where partition_id = ? and group_name = ?",
                                partition, group))
                .map(Long::valueOf).toList();
    }

    private List<UUID> partitionsOf(UUID leaseId) {
        return api.list(rows -> rows.getObject(1, UUID.class),
                "select unnest(partition_ids) from queen.lease_partitions where lease_id = ?", leaseId);
    }
}
