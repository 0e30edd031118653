package io.queenmq.server.transact;

import io.queenmq.server.ack.AckHolder;
import io.queenmq.server.ack.AckSorter;
import io.queenmq.server.catalog.Catalog;
import io.queenmq.server.cipher.CipherException;
import io.queenmq.server.config.EngineConfig;
import io.queenmq.server.lane.Arrivals;
import io.queenmq.server.lease.Leases;
import io.queenmq.server.numbers.Numbers;
import io.queenmq.server.postgres.Link;
import io.queenmq.server.postgres.Links;
import io.queenmq.server.postgres.SqlFailure;
import io.queenmq.server.push.Duplicates;
import io.queenmq.server.push.Duplicates.Verdict;
import io.queenmq.server.push.PushLane;
import io.queenmq.server.push.PushLanes;
import io.queenmq.server.push.PushOutcome;
import io.queenmq.server.push.Pushes;
import io.queenmq.server.push.Sealing;
import io.queenmq.server.push.SegmentDraft;
import io.queenmq.server.reply.Failure;
import io.queenmq.server.reply.Reply;
import io.queenmq.server.time.Timers;
import io.queenmq.server.wave.Carrier;
import io.queenmq.server.wave.Operation;
import io.queenmq.server.wave.WaveMeters;
import io.queenmq.server.wave.Waves;
import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * The transact room: ack and push as one unit. A transaction finds out what it acknowledges, takes all lanes it pushes
 * to, makes sure what it pushes is not stored already, and then makes one call that does all or nothing.
 * Owned by the engine loop.
 */
public final class Transactions {
    private static final int ATTEMPTS_MAX = 20;
    private static final long RETRY_AFTER_NS = 5_000_000;
    private static final long COME_BACK_MIN_NS = 1_000_000;
    private static final long COME_BACK_MAX_NS = 100_000_000;

    private final Catalog catalog;
    private final AckSorter sorter;
    private final PushLanes lanes;
    private final Pushes pushes;
    private final Duplicates duplicates;
    private final Sealing sealing;
    private final Leases leases;
    private final Arrivals arrivals;
    private final Numbers numbers;
    private final Timers timers;
    private final long unavailableAfterNs;
    private final TransactRoutine routine;
    private final Waves<Transaction, Answer> calls;
    private final ArrayDeque<Transaction> waitingForLanes = new ArrayDeque<>();

    public Transactions(String apiSchema, Catalog catalog, AckSorter sorter, PushLanes lanes, Pushes pushes,
            Duplicates duplicates, Sealing sealing, Leases leases, Arrivals arrivals, Numbers numbers, Links flushed,
            Timers timers,
            EngineConfig config, WaveMeters meters) {
        this.catalog = catalog;
        this.sorter = sorter;
        this.lanes = lanes;
        this.pushes = pushes;
        this.duplicates = duplicates;
        this.sealing = sealing;
        this.leases = leases;
        this.arrivals = arrivals;
        this.numbers = numbers;
        this.timers = timers;
        this.unavailableAfterNs = config.unavailableAfter().toNanos();
        this.routine = new TransactRoutine(apiSchema);
        this.calls = new Waves<>(Operation.TRANSACT, flushed, timers, config, meters, new TransactCarrier());
        lanes.onFreeForTransactions(this::takeLanes);
    }

    public void accept(TransactCommand command) {
        Transaction transaction = new Transaction(command, null, timers.nowNs());
        if (catalog.maintenance().isPushOff() && !transaction.pushIndexes().isEmpty()) {
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
                    findLanes(transaction, transaction.pushIndexes().iterator());
                }, command.reply()::fail));
    }

    private void findLanes(Transaction transaction, Iterator<Integer> rest) {
        if (transaction.refusal() != null) {
            transaction.command().reply().succeed(new TransactOutcome.Aborted(transaction.refusal()));
            return;
        }
        if (!rest.hasNext()) {
            waitingForLanes.add(transaction);
            transaction.lanes().forEach(lane -> lane.want(1));
            takeLanes();
            return;
        }
        int index = rest.next();
        catalog.require(transaction.push(index).queue(), Reply.of(queue -> {
            transaction.setLane(index, lanes.of(queue, transaction.push(index).partition()));
            findLanes(transaction, rest);
        }, transaction.command().reply()::fail));
    }

    /** Whoever can have all its lanes goes; nobody holds some while it waits for others. */
    private void takeLanes() {
        for (Iterator<Transaction> waiting = waitingForLanes.iterator(); waiting.hasNext();) {
            Transaction transaction = waiting.next();
            if (transaction.lanes().stream().noneMatch(PushLane::isTaken)) {
                waiting.remove();
                transaction.lanes().forEach(lane -> {
                    lane.want(-1);
                    lane.setTaken(true);
                });
                prepare(transaction, new ArrayList<>(transaction.lanes()).iterator());
                takeLanes();
                return;
            }
        }
    }

    private void prepare(Transaction transaction, Iterator<PushLane> rest) {
        while (rest.hasNext()) {
            PushLane lane = rest.next();
            if (!lane.isCaughtUp()) {
                pushes.catchUps().catchUp(lane, transaction.sinceNs(), Reply.of(finding -> {
                    switch (finding) {
                        case MISSING -> startOver(transaction, lane);
                        case BUSY -> retry(transaction);
                        case SAME, MOVED -> prepare(transaction, rest);
                    }
                }, failure -> fail(transaction, failure)));
                return;
            }
        }
        examine(transaction, transaction.pushIndexes().iterator());
    }

    private void examine(Transaction transaction, Iterator<Integer> rest) {
        while (rest.hasNext()) {
            int index = rest.next();
            PushLane lane = transaction.lane(index);
            if (duplicates.isSuspect(lane, transaction.push(index))) {
                duplicates.examine(lane, transaction.push(index), transaction.sinceNs(), Reply.of(verdict -> {
                    switch (verdict) {
                        case Verdict.Unique _ -> {
                        }
                        case Verdict.Itself _ -> {
                            lane.numbers().pushed(1, false);
                            transaction.foundStored(index);
                        }
                        case Verdict.DuplicateOf(var messageId) ->
                            transaction.decidePush(index, new PushOutcome.Duplicate(lane.id(), messageId));
                    }
                    examine(transaction, rest);
                }, failure -> fail(transaction, failure)));
                return;
            }
        }
        if (transaction.isDoneAlready()) {
            if (transaction.isStored()) {
                count(transaction);
            }
            freeLanes(transaction);
            transaction.holders().forEach(this::onAcked);
            transaction.command().reply().succeed(new TransactOutcome.Committed(transaction.committed()));
        } else if (transaction.doubt() != null) {
            abort(transaction, transaction.doubt());
        } else {
            calls.offer(transaction, transaction.sinceNs());
        }
    }

    /** A queue was deleted under the transaction: the whole way again, to the queue that will be created. */
    private void startOver(Transaction transaction, PushLane missing) {
        catalog.forget(missing.queue());
        freeLanes(transaction);
        lanes.remove(missing);
        if (timers.nowNs() - transaction.sinceNs() > unavailableAfterNs) {
            transaction.command().reply().succeed(new TransactOutcome.Aborted(
                    "a lane of the transaction cannot be created, because the database holds only a part of it"));
            return;
        }
        timers.after(RETRY_AFTER_NS,
                () -> begin(new Transaction(transaction.command(), null, transaction.sinceNs())));
    }

    private void onCommitted(Transaction transaction, Map<PushLane, SegmentDraft> drafts) {
        count(transaction);
        drafts.forEach(pushes::onStored);
        freeLanes(transaction);
        transaction.holders().forEach(this::onAcked);
        transaction.command().reply().succeed(new TransactOutcome.Committed(transaction.committed()));
    }

    private void count(Transaction transaction) {
        long request = numbers.transacted();
        transaction.lanes().forEach(lane -> lane.numbers().transacted(request));
        transaction.holders().forEach(holder -> holder.numbers().transacted(request));
    }

    private void onAcked(AckHolder holder) {
        holder.decideCommitted();
        // Whether the lease is over now is for the next lease of the lane to find out.
        leases.remove(holder.leaseId(), holder.partitionId());
        arrivals.released(holder.queue(), holder.partitionId(), holder.group(), -1);
    }

    /**
     * A lease is not live. Either it is too late for this transaction, or it was carried out before and its answer was
     * lost: then everything it asks for is found done.
     */
    private void lookAgain(Transaction transaction, String error) {
        freeLanes(transaction);
        transaction.holders().forEach(holder -> leases.remove(holder.leaseId(), holder.partitionId()));
        begin(new Transaction(transaction.command(), error, transaction.sinceNs()));
    }

    private void retry(Transaction transaction) {
        int attempt = transaction.countAttempt();
        if (attempt > ATTEMPTS_MAX) {
            abort(transaction, "a lane of the transaction is locked by another transaction of the database");
            return;
        }
        timers.after(RETRY_AFTER_NS * attempt, () -> {
            transaction.lanes().forEach(PushLane::doubt);
            prepare(transaction, new ArrayList<>(transaction.lanes()).iterator());
        });
    }

    /** Somebody holds a cursor: the transaction goes the whole way again, and its lanes are free meanwhile. */
    private void comeBack(Transaction transaction, String reason) {
        freeLanes(transaction);
        long waitedNs = timers.nowNs() - transaction.sinceNs();
        if (waitedNs > unavailableAfterNs) {
            transaction.command().reply().fail(new Failure.Unavailable(reason));
        } else {
            timers.after(Math.clamp(waitedNs / 4, COME_BACK_MIN_NS, COME_BACK_MAX_NS),
                    () -> begin(new Transaction(transaction.command(), null, transaction.sinceNs())));
        }
    }

    private void abort(Transaction transaction, String error) {
        freeLanes(transaction);
        transaction.command().reply().succeed(new TransactOutcome.Aborted(error));
    }

    private void fail(Transaction transaction, Failure failure) {
        freeLanes(transaction);
        transaction.command().reply().fail(failure);
    }

    private void freeLanes(Transaction transaction) {
        transaction.lanes().forEach(lanes::free);
    }

    /** What the database said of a transaction. */
    private sealed interface Answer {
        /** It took effect. */
        record Done(Map<PushLane, SegmentDraft> drafts) implements Answer {}

        /** Something to be stored could not be encrypted, so the database was not asked. */
        record NotSealed(String error) implements Answer {}

        /** It took no effect, for a reason of its own. */
        record NotDone(SqlFailure why, String error) implements Answer {}
    }

    private final class TransactCarrier implements Carrier<Transaction, Answer> {
        @Override
        public Future<List<Answer>> carry(Link link, List<Transaction> wave) {
            Transaction transaction = wave.getFirst();
            Map<PushLane, SegmentDraft> drafts;
            try {
                drafts = transaction.drafts(sealing);
            } catch (CipherException e) {
                return Future.succeededFuture(List.of(new Answer.NotSealed(e.getMessage())));
            }
            return routine.transact(link, transaction, List.copyOf(drafts.values()), sealing.epoch())
                    .<Answer>map(new Answer.Done(drafts))
                    .recover(cause -> switch (SqlFailure.of(cause)) {
                        case LANE_MOVED, LEASE_GONE, OUTDATED, BUSY -> Future.succeededFuture(
                                new Answer.NotDone(SqlFailure.of(cause), SqlFailure.messageOf(cause)));
                        default -> Future.failedFuture(cause);
                    }).map(List::of);
        }

        @Override
        public void settle(Transaction transaction, Answer answer) {
            switch (answer) {
                case Answer.Done(var drafts) -> onCommitted(transaction, drafts);
                case Answer.NotSealed(var error) -> abort(transaction, error);
                case Answer.NotDone(var why, var error) -> {
                    switch (why) {
                        case LEASE_GONE -> lookAgain(transaction, error);
                        case BUSY -> comeBack(transaction, error);
                        case OUTDATED -> catalog.look(
                                Reply.of(_ -> retry(transaction), failure -> fail(transaction, failure)));
                        default -> retry(transaction);
                    }
                }
            }
        }

        @Override
        public void refuse(Transaction transaction, Failure failure) {
            // What a lost call did will show when its lanes are next used.
            transaction.lanes().forEach(PushLane::doubt);
            switch (failure) {
                case Failure.Refused refused -> abort(transaction, refused.message());
                case Failure.Unavailable _, Failure.Overloaded _, Failure.Maintenance _ -> fail(transaction, failure);
            }
        }
    }
}
