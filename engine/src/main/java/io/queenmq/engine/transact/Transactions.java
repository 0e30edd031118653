package io.queenmq.engine.transact;

import io.queenmq.engine.ack.AckHolder;
import io.queenmq.engine.ack.AckSorter;
import io.queenmq.engine.batch.Carrier;
import io.queenmq.engine.batch.EngineContext;
import io.queenmq.engine.batch.Operation;
import io.queenmq.engine.batch.ShardBatches;
import io.queenmq.engine.catalog.MissingReason;
import io.queenmq.engine.command.TransactCommand;
import io.queenmq.engine.command.TransactOutcome;
import io.queenmq.engine.connection.Connection;
import io.queenmq.engine.connection.ConnectionPool.Durability;
import io.queenmq.engine.connection.SqlFailure;
import io.queenmq.engine.reply.Failure;
import io.queenmq.engine.reply.Reply;
import io.queenmq.engine.transact.TransactRoutine.Effect;
import io.queenmq.engine.unit.UnitAnswer;
import io.queenmq.engine.unit.UnitDrafts;
import io.queenmq.engine.unit.UnitParts;
import io.queenmq.engine.unit.Units;
import io.vertx.core.Future;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** Handles transactions: acks and pushes that one call executes as a whole or not at all. Owned by the engine loop. */
public final class Transactions extends Units<Transaction> {
    private final MissingReason missingReason;
    private final TransactRoutine routine;
    private final ShardBatches<Transaction, UnitAnswer<Effect>> calls;

    public Transactions(EngineContext context, UnitParts parts, MissingReason missingReason) {
        super(context, parts);
        this.missingReason = missingReason;
        this.routine = new TransactRoutine(context.apiSchema());
        this.calls = ShardBatches.across(context, Operation.TRANSACT, Durability.FLUSHED,
                transaction -> context.connections().shardOf(transaction.partitionsAndLeases()), new TransactCarrier());
    }

    public void accept(TransactCommand command) {
        Transaction transaction = Transaction.of(command, timers.nowNs(), history.epoch());
        if (parts.catalog().maintenance().isPushOff() && !transaction.bundle().items().isEmpty()) {
            command.reply().fail(Failure.Maintenance.OF_PUSH);
        } else {
            begin(transaction);
        }
    }

    @Override
    protected void begin(Transaction transaction) {
        TransactCommand command = transaction.command();
        parts.acks().sort(transaction.ackItems(), command.requiredLeases(), AckSorter.NO_REQUEST, transaction,
                Reply.of(acks -> {
                    transaction.setAcks(acks);
                    if (transaction.refusal() != null) {
                        reject(transaction, transaction.refusal());
                    } else {
                        prepare(transaction);
                    }
                }, command.reply()::fail));
    }

    @Override
    protected Transaction nextAttempt(Transaction transaction) {
        return transaction.next(null, history.epoch());
    }

    @Override
    protected void onReady(Transaction transaction) {
        switch (TransactPlanner.onReady(isOutdated(transaction), transaction.bundle().isStored(),
                transaction.isDoneAlready(), transaction.rejection() != null)) {
            case CALL -> calls.offer(transaction, transaction.sinceNs());
            case REPEAT -> repeat(transaction, "the database history changed");
            case COUNT_AND_COMMIT -> {
                count(transaction);
                commit(transaction);
            }
            case COMMIT -> commit(transaction);
            case REJECT -> {
                parts.bundles().free(transaction.bundle());
                reject(transaction, Objects.requireNonNull(transaction.rejection()));
            }
        }
    }

    /** Completes a transaction that had taken effect before. */
    private void commit(Transaction transaction) {
        parts.bundles().free(transaction.bundle());
        transaction.acks().forEach(acks -> acks.completeCommitted(Set.of()));
        transaction.command().reply().succeed(new TransactOutcome.Committed(transaction.committed()));
        transaction.acks().forEach(this::release);
    }

    private void onCommitted(Transaction transaction, UnitDrafts drafts, Effect effect) {
        count(transaction);
        record(transaction, drafts, effect.segments());
        for (int i = 0; i < transaction.acks().size(); i++) {
            transaction.acks().get(i).completeCommitted(effect.dead().get(i));
        }
        transaction.command().reply().succeed(new TransactOutcome.Committed(transaction.committed()));
        announce(drafts, effect.segments());
        // The response does not state whether the lease ended; the next lease of the partition detects it.
        transaction.acks().forEach(this::release);
    }

    /**
     * A lease is not live. Either the transaction is too late, or its queue is deleted, or an earlier call executed it and the
     * response was lost: then the next attempt finds that all of it took effect.
     */
    @Override
    protected void onLeaseGone(Transaction transaction, String error) {
        parts.bundles().free(transaction.bundle());
        for (AckHolder acks : transaction.acks()) {
            String missing = missingReason.ofQueue(acks.queue(), acks.partition(), acks.partitionId());
            if (missing != null) {
                reject(transaction, missing);
                return;
            }
        }
        transaction.acks().forEach(acks -> parts.leases().remove(acks.leaseId(), acks.partitionId()));
        begin(transaction.next(error, history.epoch()));
    }

    @Override
    protected void failDeletedQueue(Transaction transaction) {
        reject(transaction,
                "a partition of the transaction cannot be created, because the database holds only a part of it");
    }

    @Override
    protected void reject(Transaction transaction, String error) {
        transaction.command().reply().succeed(new TransactOutcome.Aborted(error));
    }

    @Override
    protected void fail(Transaction transaction, Failure failure) {
        transaction.command().reply().fail(failure);
    }

    private final class TransactCarrier implements Carrier<Transaction, UnitAnswer<Effect>> {
        @Override
        public Future<List<UnitAnswer<Effect>>> carry(Connection connection, List<Transaction> batch) {
            Transaction transaction = batch.getFirst();
            Drafting<Effect> drafting = draft(transaction);
            return (switch (drafting) {
                case Drafting.Answered<Effect>(var answer) -> Future.succeededFuture(answer);
                case Drafting.Drafted<Effect>(var drafts) -> call(connection, transaction, drafts);
            }).map(List::of);
        }

        private Future<UnitAnswer<Effect>> call(Connection connection, Transaction transaction, UnitDrafts drafts) {
            return routine.transact(connection, transaction, drafts.segments(), parts.storage().encryption().epoch())
                    .<UnitAnswer<Effect>>map(effect -> new UnitAnswer.Executed<>(drafts, effect))
                    .recover(cause -> switch (SqlFailure.of(cause)) {
                        case PARTITION_MOVED, LEASE_GONE, OUTDATED, BUSY, FULL ->
                            Future.succeededFuture(UnitAnswer.notApplied(cause));
                        case LOST -> SqlFailure.isNodeUnreachable(cause)
                                ? Future.succeededFuture(new UnitAnswer.Unknown<>(SqlFailure.messageOf(cause)))
                                : Future.failedFuture(cause);
                        default -> Future.failedFuture(cause);
                    });
        }

        @Override
        public void settle(Transaction transaction, UnitAnswer<Effect> answer) {
            if (answer instanceof UnitAnswer.Executed<Effect>(var drafts, var effect)) {
                onCommitted(transaction, drafts, effect);
            } else {
                Transactions.this.settle(transaction, answer);
            }
        }

        @Override
        public void refuse(Transaction transaction, Failure failure) {
            onCallFailed(transaction, failure);
        }
    }
}
