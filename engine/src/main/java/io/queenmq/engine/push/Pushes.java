package io.queenmq.engine.push;

import io.queenmq.engine.batch.Carrier;
import io.queenmq.engine.batch.EngineContext;
import io.queenmq.engine.batch.Operation;
import io.queenmq.engine.batch.ShardBatches;
import io.queenmq.engine.catalog.Catalog;
import io.queenmq.engine.command.PushCommand;
import io.queenmq.engine.command.PushItem;
import io.queenmq.engine.command.PushOutcome;
import io.queenmq.engine.connection.Connection;
import io.queenmq.engine.connection.ConnectionPool.Durability;
import io.queenmq.engine.numbers.Numbers;
import io.queenmq.engine.numbers.PushRefusal;
import io.queenmq.engine.partition.Arrivals;
import io.queenmq.engine.partition.SegmentCache;
import io.queenmq.engine.partition.SegmentReader;
import io.queenmq.engine.push.PushRoutines.Storing;
import io.queenmq.engine.push.PushTurn.Step;
import io.queenmq.engine.queue.Queue;
import io.queenmq.engine.reply.Failure;
import io.queenmq.engine.reply.Reply;
import io.queenmq.engine.time.Timers;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;

/**
 * The push room. A message stands in line in its partition; partitions with somebody in line go to PostgreSQL together. A partition
 * whose transactionIds are not all known catches up first, unless it turns out to begin with the message. Owned by the
 * engine loop.
 */
public final class Pushes {
    private static final long LOCKED_RETRY_FIRST_NS = 5_000_000;
    private static final long LOCKED_RETRY_MAX_NS = 500_000_000;

    /** A queue may be deleted and created again under those who push to it, but not that often. */
    private static final int MOVES_MAX = 10;

    private final Catalog catalog;
    private final PushPartitions partitions;
    private final PushRoutines routines;
    private final CatchUps catchUps;
    private final Examiner examiner;
    private final Sealing sealing;
    private final SegmentCache cache;
    private final Arrivals arrivals;
    private final Timers timers;
    private final Refuge refuge;
    private final PushDoor door;
    private final long unavailableAfterNs;
    private final ShardBatches<PushTurn, Storing> pushes;
    private final ShardBatches<PushTurn, Storing> boundedPushes;

    public Pushes(EngineContext context, Catalog catalog, PushPartitions partitions, Duplicates duplicates,
            Sealing sealing, Acceptances acceptances, SegmentReader reader, Refuge refuge, SegmentCache cache,
            Arrivals arrivals, Numbers numbers) {
        this.catalog = catalog;
        this.partitions = partitions;
        this.sealing = sealing;
        this.cache = cache;
        this.arrivals = arrivals;
        this.timers = context.timers();
        this.refuge = refuge;
        this.door = new PushDoor(catalog, partitions, refuge, numbers, context.timers(), this::move);
        this.examiner = new Examiner(duplicates, acceptances, reader, door, context.connections().history(),
                context.timers());
        this.unavailableAfterNs = context.config().unavailableAfter().toNanos();
        this.routines = new PushRoutines(context.apiSchema(), context.config().dedupMessages(),
                context.connections().history());
        this.catchUps = new CatchUps(context, routines);
        this.pushes = new ShardBatches<>(context, Operation.PUSH, Durability.FLUSHED,
                turn -> context.connections().shardOf(turn.partition().id()), new PushCarrier(routines::push));
        this.boundedPushes = new ShardBatches<>(context, Operation.PUSH_BOUNDED, Durability.FLUSHED,
                turn -> context.connections().shardOf(turn.partition().id()), new PushCarrier(routines::pushBounded));
        partitions.onFree(this::move);
        catalog.onChange(this::onQueueChanged);
    }

    public void accept(PushCommand command) {
        door.accept(command);
    }

    /**
     * Stores a message that was accepted before, behind those of its partition that were brought here before it. It is answered
     * when it is stored or turns out to be a duplicate, or with Failed when it is refused for good; nothing else ends its wait.
     */
    public void acceptSpooled(Queue queue, PushItem item, SpooledPush spooled, Reply<PushOutcome> reply) {
        door.acceptSpooled(queue, item, spooled, reply);
    }

    public CatchUps catchUps() {
        return catchUps;
    }

    /** A segment was stored, by this room or by a transaction: the memory of its partition and its consumers hear of it. */
    public void onStored(PushPartition partition, SegmentDraft draft) {
        partition.numbers().pushed(partition.id(), draft.count(), draft.isFirst());
        partition.stored(draft);
        partitions.trim(partition, draft.createdAtMicros());
        if (arrivals.pushed(partition.queue(), partition.name(), partition.id(), partition.window().known())) {
            cache.add(partition.id(), draft.segment());
        }
    }

    /** The database has another history: what was known of partitions is dropped, and pending pushes are checked again. */
    public void startOver() {
        partitions.startOver();
        cache.clear();
    }

    private void onQueueChanged(String name) {
        Queue queue = catalog.find(name);
        if (queue != null) {
            partitions.forgetWindows(queue);
        }
    }

    /** Begins a turn at a partition, if somebody is in line and nobody is at work on it. */
    private void move(PushPartition partition) {
        if (partition.hasWaiting() && partitions.tryTake(partition)) {
            decide(new PushTurn(partition));
        }
    }

    private void end(PushTurn turn) {
        turn.become(Step.OVER);
        partitions.free(turn.partition());
    }

    /** The one place where it is decided how a turn goes on, by what is true of the partition now. */
    private void decide(PushTurn turn) {
        PushPartition partition = turn.partition();
        partition.refresh();
        if (!partition.needsOnlyHead()) {
            partition.loadWhole();
        }
        if (!partition.hasWaiting()) {
            end(turn);
        } else if (partition.canBegin()) {
            turn.become(Step.CARRIED);
            pushes.offer(turn, partition.peek().callSinceNs(timers.nowNs()));
        } else if (!partition.isCaughtUp()) {
            catchUp(turn);
        } else if (!isExamining(turn)) {
            turn.become(Step.CARRIED);
            // Partitions of queues that take only so many messages go apart from all others, because they take turns.
            (partition.isLimited() ? boundedPushes : pushes).offer(turn, partition.peek().callSinceNs(timers.nowNs()));
        }
    }

    /** Begins to examine those in line that may be stored already; false when there are none. The partition is caught up. */
    private boolean isExamining(PushTurn turn) {
        PushPartition partition = turn.partition();
        List<PendingPush> inDoubt = partition.inDoubt();
        if (!inDoubt.isEmpty()) {
            turn.become(Step.EXAMINING);
            examiner.resolve(turn, inDoubt, () -> onResolved(turn));
            return true;
        }
        List<PendingPush> compared = partition.needsOnlyHead() ? partition.uncheckedSpooled() : partition.suspects();
        if (compared.isEmpty()) {
            return false;
        }
        turn.become(Step.EXAMINING);
        if (partition.needsOnlyHead()) {
            examiner.check(turn, compared, () -> onExamined(turn));
        } else {
            examiner.examine(turn, compared, () -> onExamined(turn));
        }
        return true;
    }

    private void onResolved(PushTurn turn) {
        turn.become(Step.DECIDING);
        turn.partition().leave(PendingPush::isDecided);
        if (turn.failure() != null && turn.partition().hasWaiting()) {
            fail(turn, turn.failure());
        } else {
            turn.settle();
            decide(turn);
        }
    }

    private void decideAgain(PushTurn turn) {
        turn.become(Step.DECIDING);
        decide(turn);
    }

    private void catchUp(PushTurn turn) {
        turn.become(Step.CATCHING_UP);
        long sinceNs = turn.partition().peek().callSinceNs(timers.nowNs());
        catchUps.catchUp(turn.partition(), turn.partition().needsOnlyHead(), refuge.isOpen(), sinceNs,
                Reply.of(finding -> {
                    turn.become(Step.DECIDING);
                    switch (finding) {
                        case MOVED -> decide(turn);
                        // A caught-up partition that takes nothing is locked by somebody's open transaction.
                        case SAME, BUSY -> {
                            turn.partition().access().setLocked();
                            rest(turn);
                        }
                        case MISSING -> moveOut(turn);
                    }
                }, failure -> {
                    turn.become(Step.DECIDING);
                    fail(turn, failure);
                }));
    }

    private void onExamined(PushTurn turn) {
        PushPartition partition = turn.partition();
        partition.leave(PendingPush::isDecided);
        turn.become(Step.DECIDING);
        if (turn.failure() != null && partition.hasWaiting()
                && (partition.hasSpooled() || door.isRefugeFor(turn.failure()))) {
            // Nobody behind one that could not be examined may go before it, so all of them share its fate.
            fail(turn, turn.failure());
            return;
        }
        if (turn.failure() != null) {
            // PostgreSQL could not be asked about some: others that have waited as long do not ask one by one.
            partition.leave(this::isOverdue).forEach(pending -> pending.unavailable(turn.failure()));
        }
        decide(turn);
    }

    /** A partition that is locked is tried again, apart from all others, until those in line have waited long enough. */
    private void rest(PushTurn turn) {
        PushPartition partition = turn.partition();
        partition.leave(pending -> isOverdue(pending) && !pending.isSpooled()).forEach(turn::failLocked);
        if (!partition.hasWaiting()) {
            end(turn);
            return;
        }
        long delayNs = Math.min(LOCKED_RETRY_FIRST_NS << Math.min(turn.countRest() - 1, 10), LOCKED_RETRY_MAX_NS);
        turn.become(Step.RESTING);
        timers.after(delayNs, () -> decideAgain(turn));
    }

    /** Reads the outdated catalog again, with increasing delays and until the pushes are overdue. */
    private void refreshCatalog(PushTurn turn) {
        int reads = turn.countCatalogRead();
        if (reads > 1 && isOverdue(turn.partition().peek())) {
            fail(turn, new Failure.Unavailable("the catalog of the database does not match its encryption epoch"));
            return;
        }
        turn.become(Step.RESTING);
        long delayNs = reads == 1 ? 0 : Math.min(LOCKED_RETRY_FIRST_NS << Math.min(reads - 2, 10), LOCKED_RETRY_MAX_NS);
        timers.after(delayNs, () -> catalog.look(Reply.of(_ -> decideAgain(turn), failure -> {
            turn.become(Step.DECIDING);
            fail(turn, failure);
        })));
    }

    private boolean isOverdue(PendingPush pending) {
        return timers.nowNs() - pending.sinceNs() >= unavailableAfterNs;
    }

    /** The partition's queue was deleted: those in line go to the queue that will be created under its name. */
    private void moveOut(PushTurn turn) {
        PushPartition partition = turn.partition();
        catalog.forget(partition.queue());
        partitions.remove(partition);
        List<PendingPush> leaving = new ArrayList<>();
        while (partition.hasWaiting()) {
            leaving.add(partition.poll());
        }
        // Transactions that wait for the partition have to find out, too.
        end(turn);
        for (PendingPush pending : leaving) {
            if (pending.isSpooled() && !catalog.isLost(partition.queue().id())) {
                pending.failed(PushRefusal.LOCKED, "the queue was deleted while the message waited to be stored");
            } else if (pending.countMove() > MOVES_MAX) {
                pending.failed(PushRefusal.LOCKED,
                        "the partition cannot be created, because the database holds only a part of it");
            } else {
                pending.changePartition();
                door.enter(pending);
            }
        }
    }

    /**
     * PostgreSQL could not be asked. If there is a refuge, all go there, in their order. Otherwise whoever has waited long
     * enough is told so; for the others the turn goes on, which asks first what the calls so far did.
     */
    private void fail(PushTurn turn, Failure failure) {
        PushPartition partition = turn.partition();
        Failure told = turn.isInDoubt() ? new Failure.Unavailable(failure.message()) : failure;
        boolean isPatient = failure instanceof Failure.Unavailable && !door.isRefugeFor(told);
        PendingPush first = partition.peek();
        partition.leave(pending -> !pending.isSpooled() && (pending == first || !isPatient || isOverdue(pending)))
                .forEach(pending -> door.giveUp(pending, told));
        partition.doubt();
        if (partition.hasSpooled()) {
            rest(turn);
        } else {
            decide(turn);
        }
    }

    /** One of the two routines that store segments. */
    private interface Call {
        Future<List<Storing>> push(Connection connection, List<SegmentDraft> drafts, long encryptionEpoch);
    }

    private final class PushCarrier implements Carrier<PushTurn, Storing> {
        private final Call call;

        PushCarrier(Call call) {
            this.call = call;
        }

        @Override
        public Future<List<Storing>> carry(Connection connection, List<PushTurn> batch) {
            BatchDrafts drafts = new BatchDrafts(batch, sealing);
            return drafts.isEmpty()
                    ? Future.succeededFuture(drafts.outcomes(List.of()))
                    : call.push(connection, drafts.segments(), sealing.epoch()).map(drafts::outcomes);
        }

        @Override
        public boolean hasRefuge(PushTurn turn) {
            return refuge.isOpen();
        }

        @Override
        public long bytes(PushTurn turn) {
            return turn.partition().draftBytes();
        }

        @Override
        public void settle(PushTurn turn, Storing storing) {
            switch (storing) {
                case DONE -> onDone(turn);
                case NOT_DONE -> {
                    turn.storedNothing();
                    catchUp(turn);
                }
                // Another server has switched encryption on somewhere, maybe here.
                case OUTDATED -> {
                    turn.storedNothing();
                    turn.become(Step.DECIDING);
                    refreshCatalog(turn);
                }
            }
        }

        private void onDone(PushTurn turn) {
            PushPartition partition = turn.partition();
            PushDraft draft = turn.draft();
            turn.settle();
            partition.widen();
            partition.leave(draft.size());
            if (draft.segment().isStored()) {
                onStored(partition, draft.segment());
            }
            draft.tell(partition);
            turn.become(Step.DECIDING);
            end(turn);
        }

        @Override
        public void refuse(PushTurn turn, Failure failure) {
            if (turn.isOver()) {
                return;
            }
            turn.become(Step.DECIDING);
            switch (failure) {
                case Failure.Refused refused -> narrowDown(turn, refused.message());
                case Failure.Unavailable _, Failure.Overloaded _, Failure.Maintenance _ -> {
                    turn.lost();
                    fail(turn, failure);
                }
            }
        }

        /** PostgreSQL refuses what the partition would add: half of it is tried, or one message that stands alone is told. */
        private void narrowDown(PushTurn turn, String error) {
            PushPartition partition = turn.partition();
            PushDraft draft = turn.draft();
            turn.storedNothing();
            if (turn.isInDoubt()) {
                // An earlier call may have stored what this one could not: that has to be known first.
                partition.doubt();
            } else if (draft.segment().count() > 1) {
                partition.narrowTo(draft.segment().count() / 2);
            } else {
                partition.widen();
                int told = draft.sizeUpToFirst();
                partition.leave(told);
                draft.tellRefused(told, error);
            }
            decide(turn);
        }
    }
}
