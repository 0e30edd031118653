package io.queenmq.engine.pop;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.engine.command.PopCommand;
import io.queenmq.engine.command.Subscription;
import io.queenmq.engine.partition.OffsetSet;
import io.queenmq.engine.pop.Decision.Reason;
import io.queenmq.engine.pop.GroupPartition.State;
import io.queenmq.engine.queue.Queue;
import io.queenmq.engine.reply.Failure;
import io.queenmq.engine.reply.Reply;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PopPlannerTest {
    private static final Failure UNAVAILABLE = new Failure.Unavailable("PostgreSQL is unavailable");
    private static final Failure REFUSED = new Failure.Refused("no");
    private static final long NOW = 100_000_000_000L;
    private static final long BYTES_MAX = 1_000;
    private static final Decision EMPTY = new Decision.Empty();
    private static final Decision FETCH = new Decision.Fetch();

    /** A row of the table: a situation and its decision. */
    private record Row(String situation, Consumer<Situation> setting, Decision expected) {
        @Override
        public String toString() {
            return situation;
        }
    }

    static Stream<Row> popsOfAnyPartition() {
        return Stream.of(new Row("no message, may wait", each -> each.scanned(), new Decision.Wait(Reason.MESSAGE)),
                new Row("no message, must not wait", each -> each.over().seen(), EMPTY),
                new Row("the client has disconnected", each -> each.gone(), EMPTY),
                new Row("the client has disconnected after a lease", each -> each.gone().granted(5).noRoundsLeft(),
                        FETCH),
                new Row("the wait is over", each -> each.pop.end(), EMPTY),
                new Row("the subscription is not recorded", each -> each.unsubscribed(),
                        new Decision.Wait(Reason.SUBSCRIPTION)),
                new Row("the subscription was invalidated after a lease", each -> each.unsubscribed().granted(5),
                        FETCH),
                new Row("everything wanted is leased", each -> each.granted(10), FETCH),
                new Row("half of the bytes are leased", each -> each.granted(1, BYTES_MAX / 2 + 1, false), FETCH),
                new Row("a message to be delivered alone is leased", each -> each.granted(1, 1, true), FETCH),
                new Row("some are leased, no other partition is ready", each -> each.granted(5), FETCH),
                new Row("no rounds left, something leased", each -> each.granted(5).noRoundsLeft(), FETCH),
                new Row("no rounds left, may wait", each -> each.noRoundsLeft(), new Decision.Wait(Reason.MESSAGE)),
                new Row("no rounds left, must not wait", each -> each.noRoundsLeft().over(), EMPTY),
                new Row("PostgreSQL is unavailable, may wait", each -> each.pop.failed(UNAVAILABLE),
                        new Decision.Wait(Reason.DATABASE)),
                new Row("PostgreSQL is unavailable, must not wait", each -> each.over().pop.failed(UNAVAILABLE),
                        new Decision.Fail(UNAVAILABLE)),
                new Row("PostgreSQL refused", each -> each.pop.failed(REFUSED), new Decision.Fail(REFUSED)),
                new Row("a later call failed", each -> each.granted(5).pop.failed(0, REFUSED),
                        new Decision.Fail(REFUSED)),
                new Row("the queue is paused", each -> each.paused().over(), EMPTY),
                new Row("it has waited, and the scan is old", each -> each.pop.restart(),
                        new Decision.Wait(Reason.MESSAGE)));
    }

    @ParameterizedTest
    @MethodSource("popsOfAnyPartition")
    void decidesForAnyPartition(Row row) {
        Situation situation = new Situation(new PopCommand.Source.Queue("orders"), 1);
        row.setting.accept(situation);

        assertThat(situation.decide()).isEqualTo(row.expected);
    }

    static Stream<Row> popsOfANamedPartition() {
        return Stream.of(new Row("the partition cannot be popped from", each -> {}, new Decision.Wait(Reason.MESSAGE)),
                new Row("the partition cannot be popped from, must not wait", each -> each.over(), EMPTY),
                new Row("a call is in flight", each -> each.named(State.LEASING),
                        new Decision.Wait(Reason.PARTITION_IN_USE)),
                new Row("a call is in flight, must not wait for a message", each -> each.named(State.LEASING).over(),
                        new Decision.Wait(Reason.PARTITION_IN_USE)),
                new Row("the awaited call found it leased", each -> each.named(State.RESTING).pop.awaitedCall(),
                        new Decision.Wait(Reason.MESSAGE)),
                new Row("something is leased", each -> each.granted(1), FETCH), new Row("PostgreSQL is unavailable",
                        each -> each.over().pop.failed(0, UNAVAILABLE), new Decision.Fail(UNAVAILABLE)));
    }

    @ParameterizedTest
    @MethodSource("popsOfANamedPartition")
    void decidesForANamedPartition(Row row) {
        Situation situation = new Situation(new PopCommand.Source.Partition("orders", "a"), 3);
        row.setting.accept(situation);

        assertThat(situation.decide()).isEqualTo(row.expected);
    }

    @ParameterizedTest
    @MethodSource("leasableStates")
    void aNamedPartitionIsTriedInAnyCachedState(State state) {
        Situation situation = new Situation(new PopCommand.Source.Partition("orders", "a"), 1).named(state);

        assertThat(situation.decide()).isEqualTo(new Decision.Lease(List.of(situation.named)));
    }

    static Stream<State> leasableStates() {
        return Stream.of(State.IDLE, State.READY, State.RESTING);
    }

    @Test
    void readyPartitionsAreLeasedInTheirOrderAndStayReady() {
        Situation situation = new Situation(new PopCommand.Source.Queue("orders"), 1);
        GroupPartition first = situation.ready("a", 0);
        GroupPartition second = situation.ready("b", 0);
        situation.ready("c", 0);

        assertThat(situation.decide()).isEqualTo(new Decision.Lease(List.of(first, second)));
        assertThat(situation.decide()).as("planning changes nothing")
                .isEqualTo(new Decision.Lease(List.of(first, second)));
    }

    @Test
    void partitionsOfOneLeaseAreOfOneShard() {
        Situation situation = new Situation(new PopCommand.Source.Queue("orders"), 3);
        GroupPartition first = situation.ready("a", 1);
        situation.ready("b", 0);
        GroupPartition third = situation.ready("c", 1);

        assertThat(situation.decide()).isEqualTo(new Decision.Lease(List.of(first, third)));
    }

    @Test
    void furtherMessagesAreLeasedInTheShardOfTheFirstOnes() {
        Situation situation = new Situation(new PopCommand.Source.Queue("orders"), 3).granted(5);
        situation.ready("a", 1);
        assertThat(situation.decide()).isEqualTo(FETCH);

        GroupPartition sameShard = situation.ready("b", 0);
        assertThat(situation.decide()).isEqualTo(new Decision.Lease(List.of(sameShard)));
    }

    @Test
    void theOtherShardsAreTriedOnceAfterOneFailed() {
        Situation situation = new Situation(new PopCommand.Source.Queue("orders"), 3);
        situation.ready("a", 0);
        GroupPartition other = situation.ready("b", 2);
        situation.pop.failed(0, UNAVAILABLE);
        assertThat(situation.decide()).isEqualTo(new Decision.Lease(List.of(other)));

        situation.pop.failed(2, UNAVAILABLE);
        assertThat(situation.decide()).isEqualTo(new Decision.Wait(Reason.DATABASE));
    }

    @Test
    void aShardThatRefusedIsNotSkipped() {
        Situation situation = new Situation(new PopCommand.Source.Queue("orders"), 3);
        situation.ready("b", 2);
        situation.pop.failed(0, REFUSED);

        assertThat(situation.decide()).isEqualTo(new Decision.Fail(REFUSED));
    }

    @Test
    void aPopThatMustNotWaitScansOnceBeforeItIsEmpty() {
        Situation situation = new Situation(new PopCommand.Source.Queue("orders"), 1).scanned().over();
        assertThat(situation.decide()).isEqualTo(new Decision.Scan(situation.backlog));

        situation.seen();
        assertThat(situation.decide()).isEqualTo(EMPTY);
    }

    @Test
    void aPopThatMayWaitScansUnlessRecentScansFoundNothing() {
        Situation situation = new Situation(new PopCommand.Source.Queue("orders"), 1);
        assertThat(situation.decide()).isEqualTo(new Decision.Scan(situation.backlog));

        situation.scanned();
        assertThat(situation.decide()).isEqualTo(new Decision.Wait(Reason.MESSAGE));
    }

    /** A pop, and the cached state of one queue. */
    private static final class Situation {
        private final Pop pop;
        private final Backlog backlog;
        private final int shards;
        private GroupPartition named;
        private boolean isSubscribed = true;
        private boolean isGone;
        private boolean isOver;

        private Situation(PopCommand.Source source, int shards) {
            this.shards = shards;
            this.pop = new Pop(new PopCommand(source, "billing", 10, 2, false, Duration.ofSeconds(30), 0,
                    Subscription.ALL, () -> false, Reply.ignored()), 0, NOW + 30_000_000_000L);
            this.backlog = new Backlog("orders", "billing", null, null, shards, _ -> true, new PopSizes());
            backlog.setQueue(queue(false));
        }

        private static Queue queue(boolean isPaused) {
            return new Queue(new UUID(0, 1), "orders", "", "", null, isPaused, Set.of(), 0);
        }

        private Decision decide() {
            return new PopPlanner(shards, BYTES_MAX).decide(pop,
                    new PopPlanner.View(List.of(backlog), named, isSubscribed, isGone, isOver, NOW));
        }

        private Situation over() {
            isOver = true;
            return this;
        }

        private Situation gone() {
            isGone = true;
            isOver = true;
            return this;
        }

        private Situation unsubscribed() {
            isSubscribed = false;
            return this;
        }

        private Situation paused() {
            ready("a", 0);
            backlog.setQueue(queue(true));
            return this;
        }

        private Situation noRoundsLeft() {
            pop.endRounds();
            return this;
        }

        private Situation seen() {
            pop.scanned(backlog);
            return this;
        }

        /** Recent scans found nothing. */
        private Situation scanned() {
            for (int i = 0; i < 3; i++) {
                backlog.view(0).scanned(NOW - 1, false);
            }
            backlog.view(0).setKnowledge(ShardView.Knowledge.COMPLETE);
            return this;
        }

        private Situation named(State state) {
            named = add("a", 0);
            named.become(state);
            return this;
        }

        private GroupPartition ready(String name, int shard) {
            GroupPartition partition = add(name, shard);
            backlog.addReady(partition, false);
            return partition;
        }

        private GroupPartition add(String name, int shard) {
            UUID id = backlog.queue().partitionId(name);
            GroupPartition partition = new GroupPartition(backlog, name, id, shard);
            backlog.partitions().put(id, partition);
            return partition;
        }

        private Situation granted(int messages) {
            return granted(messages, 1, false);
        }

        private Situation granted(int messages, long bytes, boolean isAlone) {
            GroupPartition partition = new GroupPartition(backlog, "leased", new UUID(0, 9), 0);
            pop.beginRound();
            pop.grant(new Grant(partition,
                    new Grant.Range(0, messages, OffsetSet.parse(null), Attempts.NONE, isAlone, bytes), 0), 0);
            return this;
        }
    }
}
