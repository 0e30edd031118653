package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.schema.Api.Append;
import io.queenmq.schema.Api.Failed;
import io.queenmq.schema.Api.Holder;
import io.queenmq.schema.Api.Opening;
import io.queenmq.schema.Api.Reader;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Messages that wait too long are evicted for groups that have not read them (W16). */
class EvictionTest {
    private static final String GROUP = "workers";
    private static final Map<String, Object> DROPPING = Map.of("max_wait_time_s", 100, "retry_delay_ms", 0);
    private static final Map<String, Object> BURYING = Map.of("max_wait_time_s", 100, "dead_letter_queue", true,
            "retry_delay_ms", 0);

    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();
    private final Upkeep upkeep = new Upkeep(api);

    @Test
    void unreadMessagesAreDroppedWithoutADeadLetterQueue() {
        var partition = database.newPartitionWith(3, DROPPING);
        upkeep.age(partition, 101);
        api.push(new Append(partition, 3, Batch.ofSize(2)));

        assertThat(evicted(partition)).isEqualTo(3);

        assertThat(CursorRow.of(api, partition, GROUP)).returns(3L, CursorRow::committed)
                .returns(3L, CursorRow::expired).returns(0L, CursorRow::dead).returns(0L, CursorRow::completed);
        assertThat(DeadLetter.of(api, partition)).isEmpty();
        assertThat(api.lease(LeaseRequest.of(partition, GROUP, 9)).getFirst()).returns(3L, LeaseResult::first);
        assertThat(upkeep.minutes(partition)).containsExactly("0/0/3");
    }

    @Test
    void unreadMessagesBecomeDeadLettersWithTheReason() {
        var partition = database.newPartitionWith(2, BURYING);
        upkeep.age(partition, 101);

        assertThat(evicted(partition)).isEqualTo(2);

        assertThat(DeadLetter.of(api, partition)).containsExactly(
                new DeadLetter(GROUP, 0, Batch.line("m0"), "expired: not finished within 100 seconds", 0),
                new DeadLetter(GROUP, 1, Batch.line("m1"), "expired: not finished within 100 seconds", 0));
        assertThat(CursorRow.of(api, partition, GROUP)).returns(2L, CursorRow::committed).returns(2L, CursorRow::dead)
                .returns(0L, CursorRow::expired).returns(0L, CursorRow::completed);
    }

    /** W16: leased messages are not evicted. */
    @Test
    void leasedMessagesStayUntilTheLeaseEnds() {
        var partition = database.newPartitionWith(3, BURYING);
        var request = LeaseRequest.of(partition, GROUP, 2);
        api.lease(request);
        upkeep.age(partition, 101);

        assertThat(evicted(partition)).isZero();
        assertThat(upkeep.dueIn(partition, "eviction")).isBetween(10L, 60L);
        assertThat(api.ack(Holder.of(request, "{[0,2)}")).getFirst().isLive()).isTrue();
        upkeep.age(partition, 60);

        assertThat(evicted(partition)).isEqualTo(1);
        assertThat(DeadLetter.of(api, partition)).extracting(DeadLetter::offset).containsExactly(2L);
    }

    @Test
    void outOfOrderAckedMessagesAreNotDeadLetteredAndAttemptsAreStored() {
        var partition = database.newPartitionWith(3, BURYING);
        var request = LeaseRequest.of(partition, GROUP, 3);
        api.lease(request);
        api.nack(List.of(Holder.of(request, "{[1,2)}")), Failed.of(0));
        upkeep.age(partition, 101);

        assertThat(evicted(partition)).isEqualTo(2);

        assertThat(DeadLetter.of(api, partition)).extracting(DeadLetter::offset).containsExactly(0L, 2L);
        assertThat(DeadLetter.of(api, partition)).extracting(DeadLetter::attempts).containsExactly(1, 0);
        assertThat(CursorRow.of(api, partition, GROUP)).returns(3L, CursorRow::committed)
                .returns(1L, CursorRow::completed).returns(2L, CursorRow::dead).returns(false, CursorRow::isFailing);
    }

    @Test
    void groupsThatReadInTimeLoseNoMessage() {
        var partition = database.newPartitionWith(2, DROPPING);
        api.openCursors(new Opening(partition.id(), "quick", null));
        var request = LeaseRequest.of(partition, "quick", 2);
        api.lease(request);
        api.ack(Holder.of(request, "{[0,2)}"));
        upkeep.age(partition, 101);

        assertThat(evicted(partition)).isEqualTo(2);

        assertThat(CursorRow.of(api, partition, "quick")).returns(2L, CursorRow::completed).returns(0L,
                CursorRow::expired);
        assertThat(upkeep.kept(partition)).as("retention decides what is stored").containsExactly(0L);
    }

    @Test
    void groupsWithoutACursorHaveNotReadThePartition() {
        var partition = database.newPartition(BURYING);
        api.subscribe("subscribed", partition.queue(), "", "", "all", null);
        api.push(new Append(partition, 0, Batch.ofSize(1)));
        upkeep.age(partition, 101);
        api.execute("update queen.subscription set subscribed_at = subscribed_at - interval '1000 s'"
                + " where group_name = 'subscribed'");

        assertThat(evicted(partition)).isEqualTo(1);

        assertThat(DeadLetter.of(api, partition)).extracting(DeadLetter::group).containsExactly("subscribed");
    }

    @Test
    void messagesThatExpiredBeforeTheSubscriptionAreSkipped() {
        var partition = database.newPartitionWith(1, BURYING);
        upkeep.age(partition, 300);
        upkeep.evict();

        api.subscribe("late", partition.queue(), "", "", "all", null);
        api.push(new Append(partition, 1, Batch.ofSize(1)));
        upkeep.age(partition, 101);
        api.execute("update queen.subscription set subscribed_at = subscribed_at - interval '101 s'"
                + " where group_name = 'late'");
        upkeep.evict();

        assertThat(DeadLetter.of(api, partition)).filteredOn(letter -> letter.group().equals("late"))
                .extracting(DeadLetter::offset).containsExactly(1L);
    }

    @Test
    void laterGroupStartsAtUnexpiredMessages() {
        var partition = database.newPartitionWith(2, BURYING);
        upkeep.age(partition, 101);
        api.push(new Append(partition, 2, Batch.ofSize(1)));
        api.subscribe("later", partition.queue(), "", "", "all", null);

        api.openCursors(new Opening(partition.id(), "later", null));

        assertThat(CursorRow.of(api, partition, "later").committed()).isEqualTo(2);
    }

    @Test
    void aGroupThatSubscribedInTimeReadsMessagesThatHaveExpiredSince() {
        var partition = database.newPartitionWith(2, BURYING);
        api.subscribe("slow", partition.queue(), "", "", "all", null);
        api.execute("update queen.subscription set subscribed_at = subscribed_at - interval '50 s'"
                + " where group_name = 'slow'");
        upkeep.age(partition, 101);

        api.openCursors(new Opening(partition.id(), "slow", null));

        assertThat(CursorRow.of(api, partition, "slow").committed()).isZero();
    }

    /** Without expiry, upkeep must not create cursors after unread messages. */
    @Test
    void withoutExpiryNewGroupsReadAllMessages() {
        var partition = database.newPartition(DROPPING);
        api.push(new Append(partition, 0, Batch.ofSize(2)));
        upkeep.schedule("eviction");
        upkeep.age(partition, 1000);
        api.subscribe("slow", partition.queue(), "", "", "all", null);
        api.configure(partition.queue(), Map.of("max_wait_time_s", 0));

        assertThat(evicted(partition)).isZero();
        api.openCursors(new Opening(partition.id(), "slow", null));

        assertThat(CursorRow.of(api, partition, "slow").committed()).isZero();
        assertThat(upkeep.dueIn(partition, "eviction")).isNull();
    }

    @Test
    void expiredMessagesWithoutGroupsAreDeleted() {
        var partition = database.newPartition(BURYING);
        api.push(new Append(partition, 0, Batch.ofSize(2)));
        api.push(new Append(partition, 2, Batch.ofSize(1)));
        upkeep.age(partition, 101);
        api.push(new Append(partition, 3, Batch.ofSize(1)));

        assertThat(evicted(partition)).isEqualTo(3);

        assertThat(upkeep.kept(partition)).containsExactly(3L);
        assertThat(DeadLetter.of(api, partition)).hasSize(3)
                .allSatisfy(letter -> assertThat(letter.group()).isEqualTo("__QUEUE_MODE__"));
        assertThat(upkeep.minutes(partition)).containsExactly("0/0/3");
        assertThat(upkeep.dueIn(partition, "eviction")).isBetween(50L, 100L);
    }

    /** Every JavaScript client sends a ttl of 3600 with every configure by default. */
    @ParameterizedTest
    @CsvSource({"3600,0,7200,0", "0,0,7200,0", "100,0,101,1", "100,0,50,0", "3600,100,101,1", "50,100,60,1",
        "100,50,60,1"})
    void ttlEvictsUnlessItIsTheDefaultOfTheClients(int ttl, int maxWait, int age, int evicted) {
        var partition = database.newPartitionWith(1, Map.of("ttl_s", ttl, "max_wait_time_s", maxWait));
        upkeep.age(partition, age);

        assertThat(evicted(partition)).isEqualTo(evicted);
    }

    @Test
    void manyMessagesAreEvictedStepByStep() {
        var partition = database.newPartitionWith(2500, BURYING);
        upkeep.age(partition, 101);
        upkeep.schedule("eviction");

        assertThat(upkeep.applyEviction(10, 1000).evicted()).isEqualTo(1000);
        assertThat(evicted(partition)).isEqualTo(1500);
        assertThat(DeadLetter.of(api, partition)).hasSize(2500);
        assertThat(CursorRow.of(api, partition, GROUP).dead()).isEqualTo(2500);
    }

    /** A pop does not wait for the next pass: expired messages are evicted before the partition is leased. */
    @Test
    void evictionOfASinglePartitionReturnsWhetherMoreIsLeft() {
        var partition = database.newPartitionWith(1500, DROPPING);
        var reader = new Reader(partition.id(), GROUP);
        assertThat(api.evict(reader)).isEmpty();
        assertThat(CursorRow.of(api, partition, GROUP).committed()).isZero();
        upkeep.age(partition, 101);

        assertThat(api.evict(reader)).containsExactly(1);
        assertThat(api.evict(reader)).isEmpty();

        assertThat(CursorRow.of(api, partition, GROUP)).returns(1500L, CursorRow::committed).returns(1500L,
                CursorRow::expired);
        assertThat(upkeep.minutes(partition)).containsExactly("0/0/1500");
    }

    /** Returns what a pass evicts in the queue of the partition; other tests leave partitions, too. */
    private long evicted(Partition partition) {
        long before = onRecord(partition);
        upkeep.evict();
        return onRecord(partition) - before;
    }

    private long onRecord(Partition partition) {
        return Rows.number(api.connection(),
                "select coalesce(sum(eviction), 0) from queen.retention_minute where queue_id = ?",
                partition.queueId());
    }
}
