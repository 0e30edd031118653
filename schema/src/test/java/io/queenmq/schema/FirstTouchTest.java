package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queenmq.schema.Api.Append;
import io.queenmq.schema.Api.Appended;
import io.queenmq.schema.Api.Opening;
import io.queenmq.schema.Api.Span;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A new partition is created by one call, and so is the cursor of a group. No call waits. */
class FirstTouchTest {
    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();
    private final Partition known = database.newPartition();

    @Test
    void theFirstSegmentCreatesThePartition() {
        var partition = partitionThatIsNotThere("first");

        var stored = api.begin(new Append(partition, -1, Batch.of("a", "b")));

        assertThat(stored).extracting(Appended::base).containsExactly(0L);
        assertThat(headOf(partition)).isEqualTo(2);
        assertThat(api.fetch(new Span(partition.id(), 0, 10))).hasSize(1);
        assertThat(api.push(new Append(partition, 2, Batch.of("c")))).extracting(Appended::base).containsExactly(2L);
    }

    @Test
    void anExistingPartitionIsNotCreatedAgain() {
        api.push(new Append(known, 0, Batch.of("a")));

        assertThat(api.begin(new Append(known, -1, Batch.of("a")))).isEmpty();
        assertThat(headOf(known)).isEqualTo(1);
    }

    @Test
    void oneOfTwoSessionsCreatesAPartition() {
        var partition = partitionThatIsNotThere("both");
        var other = database.newSession();
        other.execute("begin");
        other.begin(new Append(partition, -1, Batch.of("theirs")));

        var alone = partitionThatIsNotThere("alone");
        assertThat(api.begin(new Append(partition, -1, Batch.of("mine")), new Append(alone, -1, Batch.of("mine"))))
                .extracting(Appended::index).containsExactly(2);
        other.execute("commit");

        assertThat(headOf(partition)).isEqualTo(1);
        assertThat(headOf(alone)).isEqualTo(1);
        assertThat(api.begin(new Append(partition, -1, Batch.of("mine")))).isEmpty();
    }

    @Test
    void aPartitionCanBeCreatedAfterARollback() {
        var partition = partitionThatIsNotThere("back");
        var other = database.newSession();
        other.execute("begin");
        other.begin(new Append(partition, -1, Batch.of("theirs")));
        other.execute("rollback");

        assertThat(api.begin(new Append(partition, -1, Batch.of("mine")))).hasSize(1);
    }

    @Test
    void aPartitionOfADeletedQueueIsNotCreated() {
        var gone = new Partition(UUID.randomUUID(), "gone", UUID.randomUUID(), "a");
        assertThat(api.begin(new Append(gone, -1, Batch.of("a")))).isEmpty();

        var partition = partitionThatIsNotThere("going");
        var deleting = database.newSession();
        deleting.execute("begin");
        deleting.execute("select from queen.queue where id = '" + known.queueId() + "' for update");
        assertThat(api.begin(new Append(partition, -1, Batch.of("a")))).isEmpty();
        deleting.execute("rollback");

        assertThat(api.begin(new Append(partition, -1, Batch.of("a")))).hasSize(1);
    }

    @Test
    void noPlaintextPartitionIsCreatedAfterEncryptionIsEnabled() {
        var partition = partitionThatIsNotThere("clear");
        api.configure("encrypted meanwhile " + UUID.randomUUID(), Map.of("encryption_enabled", true));

        assertThatThrownBy(() -> api.listIn(partition, rows -> rows.getInt(1), "select index from " + api.schema() + """
                .push(array[?]::uuid[], array[-1]::bigint[], array[1], array['\\x0000000000000000']::bytea[],
                      array['x']::bytea[], array[1], -1, array[?]::uuid[], array['clear'])""", partition.id(),
                partition.queueId())).isInstanceOfSatisfying(Rows.SqlFailure.class,
                        failure -> assertThat(failure.state()).isEqualTo("QN003"));

        assertThat(Rows.number(api.connection(), "select count(*) from queen.partition where id = ?", partition.id()))
                .isZero();
    }

    @Test
    void leaseOpensTheCursorItDoesNotFind() {
        api.push(new Append(known, 0, Batch.ofSize(3)));

        assertThat(api.leaseAgain(null, LeaseRequest.of(known, "fresh", 2))).singleElement()
                .returns("leased", LeaseResult::status).returns(0L, LeaseResult::first).returns(2L, LeaseResult::end);
        assertThat(CursorRow.of(api, known, "fresh").leaseEnd()).isEqualTo(2);
    }

    @Test
    void groupStartsAtItsStartTime() {
        api.push(new Append(known, 0, Batch.ofSize(2)));
        OffsetDateTime second = api.push(new Append(known, 2, Batch.ofSize(2))).getFirst().createdAt();

        assertThat(api.leaseAgain(second, LeaseRequest.of(known, "timed", 10))).singleElement()
                .returns(2L, LeaseResult::first).returns(4L, LeaseResult::end);
    }

    @Test
    void openersDoNotWaitForEachOther() {
        api.push(new Append(known, 0, Batch.ofSize(1)));
        var other = database.newSession();
        other.execute("begin");
        other.openCursors(new Opening(known.id(), "shared", null));

        assertThat(api.leaseAgain(null, LeaseRequest.of(known, "shared", 1))).isEmpty();
        other.execute("commit");

        assertThat(api.leaseAgain(null, LeaseRequest.of(known, "shared", 1))).extracting(LeaseResult::status)
                .containsExactly("leased");
    }

    @Test
    void queueWithALimitIsLeftToOpenCursors() {
        var partition = database.newPartition(Map.of("max_size", 10));
        api.pushBounded(new Append(partition, 0, Batch.ofSize(1)));

        assertThat(api.leaseAgain(null, LeaseRequest.of(partition, "limited", 1))).isEmpty();
        api.openCursors(new Opening(partition.id(), "limited", null));
        assertThat(api.leaseAgain(null, LeaseRequest.of(partition, "limited", 1))).extracting(LeaseResult::status)
                .containsExactly("leased");
    }

    @Test
    void pausedPartitionIsOpenedAndNotLeased() {
        api.push(new Append(known, 0, Batch.ofSize(1)));
        api.everywhere("update partition set is_paused = true where id = '" + known.id() + "'");

        assertThat(api.leaseAgain(null, LeaseRequest.of(known, "patient", 1))).extracting(LeaseResult::status)
                .containsExactly("waiting");
        assertThat(CursorRow.of(api, known, "patient").committed()).isZero();
    }

    @Test
    void consumersWithoutAGroupAreSubscribed() {
        api.push(new Append(known, 0, Batch.ofSize(1)));

        api.leaseAgain(null, LeaseRequest.of(known, "__QUEUE_MODE__", 1));

        assertThat(Rows.number(api.connection(),
                "select count(*) from queen.subscription where group_name = '__QUEUE_MODE__' and queue_name = ?",
                known.queue())).isEqualTo(1);
    }

    private Partition partitionThatIsNotThere(String name) {
        return database.partition(known.queueId(), known.queue(), name);
    }

    private long headOf(Partition partition) {
        return Rows.number(api.connection(), "select head from queen.partition where id = ?", partition.id());
    }
}
