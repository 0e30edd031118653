package io.queenmq.engine.transact;

import io.queenmq.engine.ack.AckHolder;
import io.queenmq.engine.ack.AckSorter;
import io.queenmq.engine.batch.Carrier;
import io.queenmq.engine.batch.EngineContext;
import io.queenmq.engine.batch.Operation;
import io.queenmq.engine.batch.ShardBatches;
import io.queenmq.engine.catalog.MissingReason;
import io.queenmq.engine.catalog.Catalog;
import io.queenmq.engine.cipher.CipherException;
import io.queenmq.engine.command.TransactCommand;
import io.queenmq.engine.command.TransactOutcome;
import io.queenmq.engine.connection.Connection;
import io.queenmq.engine.connection.ConnectionPool.Durability;
import io.queenmq.engine.connection.DatabaseHistory;
import io.queenmq.engine.connection.SqlFailure;
import io.queenmq.engine.lease.Leases;
import io.queenmq.engine.numbers.Numbers;
import io.queenmq.engine.numbers.PushRefusal;
import io.queenmq.engine.partition.Arrivals;
import io.queenmq.engine.partition.Segment;
import io.queenmq.engine.push.PushBundles;
import io.queenmq.engine.push.PushBundles.Finding;
import io.queenmq.engine.push.PushPartition;
import io.queenmq.engine.push.StoredSegments;
import io.queenmq.engine.push.PayloadEncryption;
import io.queenmq.engine.push.SegmentDraft;
import io.queenmq.engine.reply.Failure;
import io.queenmq.engine.reply.Reply;
import io.queenmq.engine.time.Timers;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * The transact room: ack and push as one unit. A transaction finds out what it acknowledges, has what it pushes made
 * ready, and then makes one call that does all or nothing. Owned by the engine loop.
 */
public final class Transactions {
    private static final String HISTORY_CHANGED = "the database history changed";
    private static final long START_OVER_AFTER_NS = 5_000_000;
    private static final long COME_BACK_MIN_NS = 1_000_000;
    private static final long COME_BACK_MAX_NS = 100_000_000;

    private final Catalog catalog;
    private final DatabaseHistory history;
    private final AckSorter sorter;
    private final StoredSegments pushes;
    private final PushBundles bundles;
    private final PayloadEncryption encryption;
    private final MissingReason missingReason;
    private final Leases leases;
    private final Arrivals arrivals;
    private final Numbers numbers;
    private final Timers timers;
    private final long unavailableAfterNs;
    private final TransactRoutine routine;
    private final ShardBatches<Transaction, Answer> calls;

    public Transactions(EngineContext context, Catalog catalog, AckSorter sorter, StoredSegments pushes, PushBundles bundles,
            PayloadEncryption encryption, MissingReason missingReason, Leases leases, Arrivals arrivals, Numbers numbers) {
        this.catalog = catalog;
        this.history = context.connections().history();
        this.sorter = sorter;
        this.pushes = pushes;
        this.bundles = bundles;
        this.encryption = encryption;
        this.missingReason = missingReason;
        this.leases = leases;
        this.arrivals = arrivals;
        this.numbers = numbers;
        this.timers = context.timers();
        this.unavailableAfterNs = context.config().unavailableAfter().toNanos();
        this.routine = new TransactRoutine(context.apiSchema());
        this.calls = ShardBatches.across(context, Operation.TRANSACT, Durability.FLUSHED,
                transaction -> context.connections().shardOf(transaction.partitionsAndLeases()),
                new TransactCarrier());
    }

    public void accept(TransactCommand command) {
        Transaction transaction = Transaction.of(command, timers.nowNs(), history.epoch());
        if (catalog.maintenance().isPushOff() && !transaction.bundle().items().isEmpty()) {
            command.reply().fail(Failure.Maintenance.OF_PUSH);
        } else {
            begin(transaction);
        }
    }

    private void begin(Transaction transaction) {
        TransactCommand command = transaction.command();
        sorter.sort(transaction.ackItems(), command.requiredLeases(), AckSorter.NO_REQUEST, transaction,
                Reply.of(holders -> {
                    transaction.setHolders(holders);
                    if (transaction.refusal() != null) {
                        command.reply().succeed(new TransactOutcome.Aborted(transaction.refusal()));
                    } else {
                        transaction.bundle().setAcknowledged(AckHolder.partitionIds(holders));
                        bundles.prepare(transaction.bundle(), prepared(transaction));
                    }
                }, command.reply()::fail));
    }

    private Reply<Finding> prepared(Transaction transaction) {
        return Reply.of(finding -> {
            switch (finding) {
                case READY -> onReady(transaction);
                case GONE -> startOver(transaction);
            }
        }, transaction.command().reply()::fail);
    }

    private void onReady(Transaction transaction) {
        if (isOutdated(transaction) && !transaction.bundle().isStored()) {
            comeBack(transaction, HISTORY_CHANGED);
        } else if (transaction.isDoneAlready()) {
            if (transaction.bundle().isStored()) {
                count(transaction);
            }
            bundles.free(transaction.bundle());
            transaction.holders().forEach(this::onAcked);
            transaction.command().reply().succeed(new TransactOutcome.Committed(transaction.committed()));
        } else if (transaction.doubt() != null) {
            abort(transaction, transaction.doubt());
        } else {
            calls.offer(transaction, transaction.sinceNs());
        }
    }

    /** Whether leases and duplicates were found in a database that has another history now. */
    private boolean isOutdated(Transaction transaction) {
        return transaction.epoch() != history.epoch();
    }

    /** A queue was deleted under the transaction: the whole way again, to the queue that will be created. */
    private void startOver(Transaction transaction) {
        if (timers.nowNs() - transaction.sinceNs() > unavailableAfterNs) {
            transaction.command().reply().succeed(new TransactOutcome.Aborted(
                    "a partition of the transaction cannot be created, because the database holds only a part of it"));
            return;
        }
        timers.after(START_OVER_AFTER_NS,
                () -> begin(transaction.again(null, history.epoch())));
    }

    private void onCommitted(Transaction transaction, Map<PushPartition, SegmentDraft> drafts, List<Segment> segments) {
        count(transaction);
        int i = 0;
        for (Map.Entry<PushPartition, SegmentDraft> each : drafts.entrySet()) {
            pushes.record(each.getKey(), segments.get(i), each.getValue().isFirst());
            pushes.announce(each.getKey(), segments.get(i++));
        }
        bundles.free(transaction.bundle());
        transaction.holders().forEach(this::onAcked);
        transaction.command().reply().succeed(new TransactOutcome.Committed(transaction.committed()));
    }

    private void count(Transaction transaction) {
        long request = numbers.transacted();
        transaction.bundle().partitions().forEach(partition -> partition.numbers().transacted(request));
        transaction.holders().forEach(holder -> holder.numbers().transacted(request));
    }

    private void onAcked(AckHolder holder) {
        holder.decideCommitted();
        // Whether the lease is over now is for the next lease of the partition to find out.
        leases.remove(holder.leaseId(), holder.partitionId());
        arrivals.released(holder.queue(), holder.partitionId(), holder.group(), -1);
    }

    /**
     * A lease is not live. Either it is too late for this transaction, or its queue is gone, or it was carried out before and
     * its answer was lost: then everything it asks for is found done.
     */
    private void lookAgain(Transaction transaction, String error) {
        for (AckHolder holder : transaction.holders()) {
            String gone = missingReason.ofQueue(holder.queue(), holder.partition(), holder.partitionId());
            if (gone != null) {
                abort(transaction, gone);
                return;
            }
        }
        bundles.free(transaction.bundle());
        transaction.holders().forEach(holder -> leases.remove(holder.leaseId(), holder.partitionId()));
        begin(transaction.again(error, history.epoch()));
    }

    private void retry(Transaction transaction, Set<UUID> refused) {
        bundles.prepareAgain(transaction.bundle(), refused, prepared(transaction));
    }

    /** Somebody holds a cursor: the transaction goes the whole way again, and its partitions are free meanwhile. */
    private void comeBack(Transaction transaction, String reason) {
        bundles.free(transaction.bundle());
        long waitedNs = timers.nowNs() - transaction.sinceNs();
        if (waitedNs > unavailableAfterNs) {
            transaction.command().reply().fail(new Failure.Unavailable(reason));
        } else {
            timers.after(Math.clamp(waitedNs / 4, COME_BACK_MIN_NS, COME_BACK_MAX_NS),
                    () -> begin(transaction.again(null, history.epoch())));
        }
    }

    private void abort(Transaction transaction, String error) {
        bundles.free(transaction.bundle());
        transaction.command().reply().succeed(new TransactOutcome.Aborted(error));
    }

    private void fail(Transaction transaction, Failure failure) {
        bundles.free(transaction.bundle());
        transaction.command().reply().fail(failure);
    }

    /** What the database said of a transaction. */
    private sealed interface Answer {
        /** It took effect. */
        record Done(Map<PushPartition, SegmentDraft> drafts, List<Segment> segments) implements Answer {}

        /** Something to be stored could not be encrypted, so the database was not asked. */
        record NotSealed(String error) implements Answer {}

        /**
         * It must be prepared again, without its partitions meanwhile: the database has another history, or a shard cannot be
         * reached. This call or an earlier one may have taken effect.
         */
        record Unknown(String reason) implements Answer {}

        /** It took no effect, for a reason of its own. */
        record NotDone(SqlFailure why, String error, Set<UUID> partitions) implements Answer {}
    }

    private final class TransactCarrier implements Carrier<Transaction, Answer> {
        @Override
        public Future<List<Answer>> carry(Connection connection, List<Transaction> batch) {
            Transaction transaction = batch.getFirst();
            if (isOutdated(transaction)) {
                return Future.succeededFuture(List.of(new Answer.Unknown(HISTORY_CHANGED)));
            }
            Map<PushPartition, SegmentDraft> drafts;
            try {
                drafts = transaction.bundle().drafts(encryption);
            } catch (CipherException e) {
                return Future.succeededFuture(List.of(new Answer.NotSealed(e.getMessage())));
            }
            Set<UUID> deleted = transaction.bundle().deleted(encryption);
            if (!deleted.isEmpty()) {
                return Future.succeededFuture(
                        List.of(new Answer.NotDone(SqlFailure.PARTITION_MOVED, "a queue was deleted", deleted)));
            }
            return routine.transact(connection, transaction, List.copyOf(drafts.values()), encryption.epoch())
                    .<Answer>map(segments -> new Answer.Done(drafts, segments))
                    .recover(cause -> switch (SqlFailure.of(cause)) {
                        case PARTITION_MOVED, LEASE_GONE, OUTDATED, BUSY, FULL -> Future.succeededFuture(
                                new Answer.NotDone(SqlFailure.of(cause), SqlFailure.messageOf(cause),
                                        SqlFailure.partitionsOf(cause)));
                        case LOST -> SqlFailure.isNodeUnreachable(cause)
                                ? Future.succeededFuture(new Answer.Unknown(SqlFailure.messageOf(cause)))
                                : Future.failedFuture(cause);
                        default -> Future.failedFuture(cause);
                    }).map(List::of);
        }

        @Override
        public void settle(Transaction transaction, Answer answer) {
            switch (answer) {
                case Answer.Done(var drafts, var segments) -> onCommitted(transaction, drafts, segments);
                case Answer.NotSealed(var error) -> {
                    transaction.bundle().countRefused(PushRefusal.ENCRYPTION, error, encryption::isRequiredFor);
                    abort(transaction, error);
                }
                case Answer.Unknown(var reason) -> comeBack(transaction, reason);
                case Answer.NotDone(var why, var error, var partitions) -> {
                    transaction.bundle().storedNothing();
                    switch (why) {
                        case LEASE_GONE -> lookAgain(transaction, error);
                        case BUSY -> comeBack(transaction, error);
                        case FULL -> {
                            transaction.bundle().countRefused(PushRefusal.FULL, error, PushPartition::isLimited);
                            abort(transaction, error);
                        }
                        case OUTDATED -> catalog.look(Reply.of(
                                _ -> comeBack(transaction, error), failure -> fail(transaction, failure)));
                        default -> retry(transaction, partitions);
                    }
                }
            }
        }

        @Override
        public void refuse(Transaction transaction, Failure failure) {
            // What a lost call did will show when its partitions are next used.
            bundles.invalidateHeads(transaction.bundle());
            switch (failure) {
                case Failure.Refused refused -> abort(transaction, refused.message());
                case Failure.Unavailable _, Failure.Overloaded _, Failure.Maintenance _ -> fail(transaction, failure);
            }
        }
    }
}
