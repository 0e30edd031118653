package io.queenmq.engine.push;

import io.queenmq.engine.batch.Carrier;
import io.queenmq.engine.batch.EngineContext;
import io.queenmq.engine.batch.Operation;
import io.queenmq.engine.batch.ShardBatches;
import io.queenmq.engine.catalog.Catalog;
import io.queenmq.engine.connection.Connection;
import io.queenmq.engine.connection.ConnectionPool.Durability;
import io.queenmq.engine.numbers.PushRefusal;
import io.queenmq.engine.partition.Segment;
import io.queenmq.engine.push.CatchUps.Finding;
import io.queenmq.engine.push.PushPlanner.FailurePlan;
import io.queenmq.engine.push.PushPlanner.Next;
import io.queenmq.engine.push.PushPlanner.Rejection;
import io.queenmq.engine.push.PushTurn.Step;
import io.queenmq.engine.reply.Failure;
import io.queenmq.engine.reply.Reply;
import io.queenmq.engine.time.Timers;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Stores the pending pushes of partitions. A turn takes a partition, repeats what {@link PushPlanner} decides, and frees the
 * partition when a segment is stored or nothing waits. Segments of many partitions go to PostgreSQL in one call. Owned by the
 * engine loop.
 */
public final class PushTurns {
    private final Catalog catalog;
    private final PushPartitions partitions;
    private final Pushes pushes;
    private final SpoolGateway spool;
    private final PushStorage storage;
    private final Timers timers;
    private final long unavailableAfterNs;
    private final ShardBatches<PushTurn, StoreAnswer> calls;
    private final ShardBatches<PushTurn, StoreAnswer> boundedCalls;

    public PushTurns(EngineContext context, Catalog catalog, PushPartitions partitions, Pushes pushes,
            SpoolGateway spool, PushStorage storage) {
        this.catalog = catalog;
        this.partitions = partitions;
        this.pushes = pushes;
        this.spool = spool;
        this.storage = storage;
        this.timers = context.timers();
        this.unavailableAfterNs = context.config().unavailableAfter().toNanos();
        this.calls = new ShardBatches<>(context, Operation.PUSH, Durability.FLUSHED,
                turn -> context.connections().shardOf(turn.partition().id()), new StoreCarrier(false));
        this.boundedCalls = new ShardBatches<>(context, Operation.PUSH_BOUNDED, Durability.FLUSHED,
                turn -> context.connections().shardOf(turn.partition().id()), new StoreCarrier(true));
    }

    /** Begins a turn, if a push waits and the partition can be taken. */
    public void start(PushPartition partition) {
        if (partition.hasWaiting() && partitions.tryTake(partition)) {
            advance(new PushTurn(partition));
        }
    }

    /** Executes the next step of a turn. */
    private void advance(PushTurn turn) {
        PushPartition partition = turn.partition();
        partition.refresh();
        if (!partition.needsOnlyHead()) {
            partition.dropPartialWindow();
        }
        switch (PushPlanner.next(partition)) {
            case Next.End() -> end(turn);
            case Next.Store(var isBounded) -> {
                turn.become(Step.STORING);
                (isBounded ? boundedCalls : calls).offer(turn, partition.peek().callSinceNs(timers.nowNs()));
            }
            case Next.CatchUp() -> catchUp(turn);
            case Next.ResolveAttempts(var attempted) -> {
                turn.become(Step.CHECKING);
                storage.checker().resolve(partition, attempted,
                        Reply.of(_ -> onResolved(turn), failure -> onResolveFailed(turn, failure)));
            }
            case Next.CheckDuplicates(var suspects) -> {
                turn.become(Step.CHECKING);
                storage.checker().compare(partition, suspects, checked(turn, suspects));
            }
            case Next.CheckSpooled(var spooled) -> {
                turn.become(Step.CHECKING);
                storage.checker().compareSpooled(partition, spooled, checked(turn, spooled));
            }
        }
    }

    private void end(PushTurn turn) {
        turn.become(Step.ENDED);
        partitions.free(turn.partition());
    }

    private void catchUp(PushTurn turn) {
        PushPartition partition = turn.partition();
        turn.become(Step.CATCHING_UP);
        storage.catchUps().catchUp(partition, partition.needsOnlyHead(), spool.isOpen(),
                partition.peek().callSinceNs(timers.nowNs()),
                Reply.of(finding -> onCaughtUp(turn, finding), failure -> {
                    turn.become(Step.PLANNING);
                    onCallFailed(turn, failure);
                }));
    }

    private void onCaughtUp(PushTurn turn, Finding finding) {
        turn.become(Step.PLANNING);
        switch (finding) {
            case MOVED -> advance(turn);
            // A call was rejected although nothing is new in the partition: another transaction of the database locks it.
            case SAME, BUSY -> {
                turn.partition().access().setLocked();
                waitForLock(turn);
            }
            case MISSING -> leaveDeletedQueue(turn);
        }
    }

    private void onResolved(PushTurn turn) {
        turn.become(Step.PLANNING);
        turn.partition().remove(PendingPush::isDecided);
        turn.settle();
        advance(turn);
    }

    private void onResolveFailed(PushTurn turn, Failure failure) {
        turn.become(Step.PLANNING);
        turn.partition().remove(PendingPush::isDecided);
        if (turn.partition().hasWaiting()) {
            onCallFailed(turn, failure);
        } else {
            turn.settle();
            advance(turn);
        }
    }

    private Reply<@Nullable Void> checked(PushTurn turn, List<PendingPush> checked) {
        return Reply.of(_ -> {
            turn.partition().remove(PendingPush::isDecided);
            turn.become(Step.PLANNING);
            advance(turn);
        }, failure -> onCheckFailed(turn, checked, failure));
    }

    private void onCheckFailed(PushTurn turn, List<PendingPush> checked, Failure failure) {
        PushPartition partition = turn.partition();
        turn.become(Step.PLANNING);
        if (!spool.accepts(failure)) {
            checked.stream().filter(pending -> !pending.isSpooled() && !pending.isDecided())
                    .forEach(pending -> pending.unavailable(failure));
        }
        partition.remove(PendingPush::isDecided);
        if (partition.hasWaiting() && (partition.hasSpooled() || spool.accepts(failure))) {
            // No push may overtake one that could not be checked, so all of them are spooled or failed together.
            onCallFailed(turn, failure);
            return;
        }
        // Pushes that have waited as long fail now, so that they are not checked one after the other.
        partition.remove(this::isOverdue).forEach(pending -> pending.unavailable(failure));
        advance(turn);
    }

    /** Tries a locked partition again after a delay, until its pushes are overdue. Pushes from the spool never are. */
    private void waitForLock(PushTurn turn) {
        PushPartition partition = turn.partition();
        partition.remove(pending -> isOverdue(pending) && !pending.isSpooled()).forEach(turn::failLocked);
        if (!partition.hasWaiting()) {
            end(turn);
            return;
        }
        turn.become(Step.WAITING);
        timers.after(LockRetry.delayNs(turn.countWait() - 1), () -> advanceAfterWait(turn));
    }

    private void advanceAfterWait(PushTurn turn) {
        turn.become(Step.PLANNING);
        advance(turn);
    }

    /** Reads the outdated catalog again, with increasing delays and until the pushes are overdue. */
    private void refreshCatalog(PushTurn turn) {
        int reads = turn.countCatalogRead();
        if (reads > 1 && isOverdue(turn.partition().peek())) {
            onCallFailed(turn,
                    new Failure.Unavailable("the catalog of the database does not match its encryption epoch"));
            return;
        }
        turn.become(Step.WAITING);
        timers.after(reads == 1 ? 0 : LockRetry.delayNs(reads - 2),
                () -> catalog.refresh(Reply.of(_ -> advanceAfterWait(turn), failure -> {
                    turn.become(Step.PLANNING);
                    onCallFailed(turn, failure);
                })));
    }

    private boolean isOverdue(PendingPush pending) {
        return timers.nowNs() - pending.sinceNs() >= unavailableAfterNs;
    }

    /** Enqueues the pushes of a deleted queue in the queue that has its name now. */
    private void leaveDeletedQueue(PushTurn turn) {
        PushPartition partition = turn.partition();
        catalog.forget(partition.queue());
        partitions.remove(partition);
        List<PendingPush> leaving = partition.remove(_ -> true);
        // Bundles that wait for the partition must detect the deletion, too.
        end(turn);
        List<PendingPush> moving = new ArrayList<>();
        for (PendingPush pending : leaving) {
            String error = PushPlanner.onQueueDeleted(pending.origin(), pending.countMove(),
                    catalog.isLost(partition.queue().id()));
            if (error != null) {
                pending.failed(PushRefusal.LOCKED, error);
            } else {
                pending.changePartition();
                moving.add(pending);
            }
        }
        pushes.enqueue(moving);
    }

    /** Spools or fails pushes after a call failed. The turn continues with the others, and first resolves earlier calls. */
    private void onCallFailed(PushTurn turn, Failure failure) {
        PushPartition partition = turn.partition();
        FailurePlan plan = PushPlanner.onFailure(failure, turn.isInDoubt(), spool.isOpen());
        PendingPush first = partition.peek();
        partition.remove(pending -> !pending.isSpooled() && (plan.isForAll() || pending == first || isOverdue(pending)))
                .forEach(pending -> pushes.spoolOrFail(pending, plan.reported()));
        partition.invalidateHead();
        if (partition.hasSpooled()) {
            waitForLock(turn);
        } else {
            advance(turn);
        }
    }

    private void onStored(PushTurn turn, StoreAnswer answer) {
        PushPartition partition = turn.partition();
        PushDraft draft = turn.draft();
        Segment segment = draft.segment().stored(answer);
        turn.settle();
        partition.resetDraftLimit();
        partition.remove(draft.size());
        if (segment != null) {
            storage.stored().record(partition, segment, draft.segment().isFirst());
        }
        draft.complete(partition, answer);
        if (segment != null) {
            storage.stored().announce(partition, segment);
        }
        turn.become(Step.PLANNING);
        end(turn);
    }

    /** PostgreSQL rejects a segment: tries half of it, or fails the one message in it. */
    private void onRejected(PushTurn turn, String error) {
        PushPartition partition = turn.partition();
        PushDraft draft = turn.draft();
        turn.storedNothing();
        switch (PushPlanner.onRejected(turn.isInDoubt(), draft.segment().count())) {
            case Rejection.CatchUpFirst() -> partition.invalidateHead();
            case Rejection.Halve(var messages) -> partition.limitDrafts(messages);
            case Rejection.RejectFirst() -> {
                partition.resetDraftLimit();
                int rejected = draft.sizeUpToFirst();
                partition.remove(rejected);
                draft.reject(rejected, error);
            }
        }
        advance(turn);
    }

    private final class StoreCarrier implements Carrier<PushTurn, StoreAnswer> {
        private final boolean isBounded;

        StoreCarrier(boolean isBounded) {
            this.isBounded = isBounded;
        }

        @Override
        public Future<List<StoreAnswer>> carry(Connection connection, List<PushTurn> batch) {
            BatchDrafts drafts = new BatchDrafts(batch, storage.encryption());
            if (drafts.isEmpty()) {
                return Future.succeededFuture(drafts.answers(List.of()));
            }
            long epoch = storage.encryption().epoch();
            return (isBounded
                    ? storage.routines().pushBounded(connection, drafts.segments(), epoch)
                    : storage.routines().push(connection, drafts.segments(), epoch)).map(drafts::answers);
        }

        @Override
        public boolean failsWhenUnreachable(PushTurn turn) {
            return spool.isOpen();
        }

        @Override
        public long bytes(PushTurn turn) {
            return turn.partition().draftBytes();
        }

        @Override
        public void settle(PushTurn turn, StoreAnswer answer) {
            switch (answer) {
                case StoreAnswer.Stored _, StoreAnswer.Truncated _, StoreAnswer.Nothing _ -> onStored(turn, answer);
                case StoreAnswer.NotStored _ -> {
                    turn.storedNothing();
                    catchUp(turn);
                }
                // Another server has switched encryption on for some queue, maybe for this one.
                case StoreAnswer.Outdated _ -> {
                    turn.storedNothing();
                    turn.become(Step.PLANNING);
                    refreshCatalog(turn);
                }
            }
        }

        @Override
        public void refuse(PushTurn turn, Failure failure) {
            if (turn.isOver()) {
                return;
            }
            turn.become(Step.PLANNING);
            switch (failure) {
                case Failure.Refused refused -> onRejected(turn, refused.message());
                case Failure.Unavailable _, Failure.Overloaded _, Failure.Maintenance _ -> {
                    turn.lost();
                    onCallFailed(turn, failure);
                }
            }
        }
    }
}
