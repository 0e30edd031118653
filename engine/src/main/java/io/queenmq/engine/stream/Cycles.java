package io.queenmq.engine.stream;

import io.micrometer.core.instrument.MeterRegistry;
import io.queenmq.engine.ack.AckHolder;
import io.queenmq.engine.ack.AckSorter;
import io.queenmq.engine.batch.Carrier;
import io.queenmq.engine.batch.EngineContext;
import io.queenmq.engine.batch.Operation;
import io.queenmq.engine.batch.ShardBatches;
import io.queenmq.engine.catalog.Catalog;
import io.queenmq.engine.cipher.CipherException;
import io.queenmq.engine.cipher.PayloadCipher;
import io.queenmq.engine.command.AckItem;
import io.queenmq.engine.command.CycleCommand;
import io.queenmq.engine.command.CycleOutcome;
import io.queenmq.engine.command.PushOutcome;
import io.queenmq.engine.command.StateOp;
import io.queenmq.engine.connection.Connection;
import io.queenmq.engine.connection.ConnectionPool.Durability;
import io.queenmq.engine.connection.DatabaseHistory;
import io.queenmq.engine.connection.SqlFailure;
import io.queenmq.engine.lease.Leases;
import io.queenmq.engine.numbers.Numbers;
import io.queenmq.engine.numbers.PushRefusal;
import io.queenmq.engine.partition.Arrivals;
import io.queenmq.engine.push.PayloadEncryption;
import io.queenmq.engine.push.PushBundles;
import io.queenmq.engine.push.PushBundles.Finding;
import io.queenmq.engine.push.PushPartition;
import io.queenmq.engine.push.SegmentDraft;
import io.queenmq.engine.push.StoredSegments;
import io.queenmq.engine.reply.Failure;
import io.queenmq.engine.reply.Reply;
import io.queenmq.engine.stream.CycleRoutine.Form;
import io.queenmq.engine.stream.CycleRoutine.Judgement;
import io.queenmq.engine.time.Timers;
import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The cycles of stream queries: state, pushes and an acknowledgement as one unit. Cycles of one partition stand in line; those
 * of different partitions go to the database together, where each takes effect as a whole or not at all. Owned by the engine
 * loop.
 */
public final class Cycles {
    private static final Logger log = LoggerFactory.getLogger(Cycles.class);

    /** More than so many for one partition are not a runner at work. */
    private static final int LINE_MAX = 1_000;
    private static final long START_OVER_AFTER_NS = 5_000_000;
    private static final long COME_BACK_MIN_NS = 1_000_000;
    private static final long COME_BACK_MAX_NS = 100_000_000;

    private final Queries queries;
    private final Catalog catalog;
    private final DatabaseHistory history;
    private final AckSorter sorter;
    private final StoredSegments pushes;
    private final PushBundles bundles;
    private final PayloadEncryption encryption;
    private final StateEncryption stateEncryption;
    private final Leases leases;
    private final Arrivals arrivals;
    private final Numbers numbers;
    private final Timers timers;
    private final long unavailableAfterNs;
    private final CycleRoutine routine;
    private final CycleMeters meters;
    private final ShardBatches<Cycle, Answer> calls;
    private final Map<UUID, ArrayDeque<Cycle>> lines = new HashMap<>();

    public Cycles(EngineContext context, Queries queries, Catalog catalog, AckSorter sorter, StoredSegments pushes,
            PushBundles bundles, PayloadEncryption encryption, PayloadCipher cipher, Leases leases, Arrivals arrivals,
            Numbers numbers, MeterRegistry registry) {
        this.queries = queries;
        this.catalog = catalog;
        this.history = context.connections().history();
        this.sorter = sorter;
        this.pushes = pushes;
        this.bundles = bundles;
        this.encryption = encryption;
        this.stateEncryption = new StateEncryption(catalog, cipher);
        this.leases = leases;
        this.arrivals = arrivals;
        this.numbers = numbers;
        this.timers = context.timers();
        this.unavailableAfterNs = context.config().unavailableAfter().toNanos();
        this.routine = new CycleRoutine(context.apiSchema());
        this.meters = new CycleMeters(registry);
        this.calls = ShardBatches.across(context, Operation.CYCLE, Durability.FLUSHED,
                cycle -> context.connections().shardOf(cycle.partitions()), new CycleCarrier());
    }

    public void accept(CycleCommand command) {
        if (catalog.maintenance().isPushOff() && !command.pushes().isEmpty()) {
            command.reply().fail(Failure.Maintenance.OF_PUSH);
            return;
        }
        Cycle cycle = new Cycle(command, timers.nowNs(), history.epoch());
        ArrayDeque<Cycle> line = lines.get(command.partitionId());
        if (line == null) {
            lines.put(command.partitionId(), new ArrayDeque<>(1));
            start(cycle);
        } else if (line.size() < LINE_MAX) {
            line.add(cycle);
        } else {
            command.reply().fail(new Failure.Overloaded("too many cycles of this partition are waiting"));
        }
    }

    /** Whatever goes wrong with the first in line, the next one has its turn. */
    private void start(Cycle cycle) {
        try {
            begin(cycle);
        } catch (RuntimeException bug) {
            log.error("a cycle could not be begun", bug);
            fail(cycle, new Failure.Unavailable("this server failed: " + bug));
        }
    }

    /** The whole way: which queue, which lease, which partitions. */
    private void begin(Cycle cycle) {
        queries.find(cycle.command().queryId(), Reply.of(sourceQueue -> {
            if (sourceQueue == null) {
                meters.judged(Verdict.NO_QUERY);
                succeed(cycle, new CycleOutcome.UnknownQuery());
                return;
            }
            cycle.setSourceQueue(sourceQueue);
            findLease(cycle);
        }, failure -> fail(cycle, failure)));
    }

    private void findLease(Cycle cycle) {
        List<AckItem> acks = cycle.isFlush() ? List.of() : List.of(cycle.command().ack());
        sorter.sort(acks, List.of(), AckSorter.NO_REQUEST, cycle, Reply.of(holders -> {
            cycle.setHolders(holders);
            if (cycle.isHopeless()) {
                calls.offer(cycle, cycle.sinceNs());
            } else {
                cycle.bundle().setAcknowledged(AckHolder.partitionIds(holders));
                bundles.prepare(cycle.bundle(), prepared(cycle));
            }
        }, failure -> fail(cycle, failure)));
    }

    private Reply<Finding> prepared(Cycle cycle) {
        return Reply.of(finding -> {
            switch (finding) {
                case READY -> calls.offer(cycle, cycle.sinceNs());
                case GONE -> beginAgain(cycle, START_OVER_AFTER_NS,
                        "a partition it pushes to cannot be created, because the database holds only a part of it");
            }
        }, failure -> fail(cycle, failure));
    }

    private void settle(Cycle cycle, Judgement judgement, Map<PushPartition, SegmentDraft> drafts) {
        meters.judged(judgement.verdict());
        switch (judgement.verdict()) {
            case GO -> onDone(cycle, judgement, drafts);
            case REPEATED -> onRepeated(cycle);
            case BUSY -> comeBack(cycle, judgement.verdict().reason());
            case NO_QUERY -> {
                queries.forget(cycle.command().queryId());
                bundles.free(cycle.bundle());
                succeed(cycle, new CycleOutcome.UnknownQuery());
            }
            case LEASE_GONE -> {
                AckHolder holder = cycle.holder();
                if (holder != null) {
                    leases.remove(holder.leaseId(), holder.partitionId());
                }
                bundles.free(cycle.bundle());
                refuse(cycle, holder == null ? cycle.refusal() : judgement.verdict().reason());
            }
            case NO_PARTITION, LEASED, STALE -> {
                bundles.free(cycle.bundle());
                refuse(cycle, judgement.verdict().reason());
            }
        }
    }

    private void onDone(Cycle cycle, Judgement judgement, Map<PushPartition, SegmentDraft> drafts) {
        long request = numbers.transacted();
        cycle.bundle().partitions().forEach(partition -> partition.numbers().transacted(request));
        int i = 0;
        for (Map.Entry<PushPartition, SegmentDraft> each : drafts.entrySet()) {
            pushes.record(each.getKey(), judgement.segments().get(i), each.getValue().isFirst());
            pushes.announce(each.getKey(), judgement.segments().get(i++));
        }
        bundles.free(cycle.bundle());
        AckHolder holder = cycle.holder();
        if (holder != null) {
            boolean isDead = cycle.command().ack().status() == AckItem.Status.DLQ;
            holder.numbers().transacted(request);
            holder.numbers().touched(holder.partitionId());
            holder.numbers().acked((int) judgement.finished() - (isDead ? 1 : 0), isDead ? 1 : 0);
            if (judgement.isReleased()) {
                leases.remove(holder.leaseId(), holder.partitionId());
                arrivals.released(holder.queue(), holder.partitionId(), holder.group(), -1);
            }
        }
        meters.done(judgement.finished(), cycle.command().pushes().size(), cycle.command().ops().size());
        succeed(cycle, new CycleOutcome.Done(cycle.sourceQueue(), cycle.bundle().committed(), false,
                judgement.isReleased()));
    }

    /** It took effect before: maybe by a call of ours whose answer was lost, so the partitions have to look what they hold. */
    private void onRepeated(Cycle cycle) {
        bundles.invalidateHeads(cycle.bundle());
        bundles.free(cycle.bundle());
        List<PushOutcome> outcomes = new ArrayList<>(cycle.command().pushes().size());
        cycle.command().pushes().forEach(_ -> outcomes.add(new PushOutcome.Duplicate(null, null)));
        succeed(cycle,
                new CycleOutcome.Done(cycle.sourceQueue(), outcomes, true, !cycle.command().isLeaseKept()));
    }

    /** Somebody holds a row it needs: it goes the whole way again, and its partitions are free meanwhile. */
    private void comeBack(Cycle cycle, String reason) {
        bundles.free(cycle.bundle());
        long waitedNs = timers.nowNs() - cycle.sinceNs();
        beginAgain(cycle, Math.clamp(waitedNs / 4, COME_BACK_MIN_NS, COME_BACK_MAX_NS), reason);
    }

    private void beginAgain(Cycle cycle, long afterNs, String reason) {
        if (timers.nowNs() - cycle.sinceNs() > unavailableAfterNs) {
            fail(cycle, new Failure.Unavailable(reason));
        } else {
            timers.after(afterNs, () -> start(new Cycle(cycle.command(), cycle.sinceNs(), history.epoch())));
        }
    }

    private void refuse(Cycle cycle, String error) {
        succeed(cycle, new CycleOutcome.Refused(cycle.sourceQueue(), error));
    }

    private void succeed(Cycle cycle, CycleOutcome outcome) {
        next(cycle);
        cycle.command().reply().succeed(outcome);
    }

    private void fail(Cycle cycle, Failure failure) {
        next(cycle);
        cycle.command().reply().fail(failure);
    }

    private void next(Cycle cycle) {
        Cycle following = lines.get(cycle.command().partitionId()).poll();
        if (following == null) {
            lines.remove(cycle.command().partitionId());
        } else {
            start(following);
        }
    }

    /** What came of a cycle's call. */
    private sealed interface Answer {
        /** The database has judged it. */
        record Judged(Judgement judgement, Map<PushPartition, SegmentDraft> drafts) implements Answer {}

        /** Something to be stored could not be encrypted, so the database was not asked. */
        record NotSealed(String error) implements Answer {}

        /** Leases and duplicates were found in a database that has another history now, so it was not asked. */
        record Outdated() implements Answer {}

        /** It took no effect; unless a queue is full, it may when it is tried again. */
        record NotDone(SqlFailure why, String error, Set<UUID> partitions) implements Answer {}
    }

    private final class CycleCarrier implements Carrier<Cycle, Answer> {
        @Override
        public Future<List<Answer>> carry(Connection connection, List<Cycle> batch) {
            Answer[] answers = new Answer[batch.size()];
            List<Integer> positions = new ArrayList<>(batch.size());
            List<Form> forms = new ArrayList<>(batch.size());
            List<Map<PushPartition, SegmentDraft>> drafts = new ArrayList<>(batch.size());
            for (int i = 0; i < answers.length; i++) {
                if (batch.get(i).epoch() != history.epoch()) {
                    answers[i] = new Answer.Outdated();
                    continue;
                }
                try {
                    Cycle cycle = batch.get(i);
                    Map<PushPartition, SegmentDraft> each = cycle.isHopeless()
                            ? Map.of()
                            : cycle.bundle().drafts(encryption);
                    Set<UUID> deleted = each.isEmpty() ? Set.of() : cycle.bundle().deleted(encryption);
                    if (!deleted.isEmpty()) {
                        answers[i] = new Answer.NotDone(SqlFailure.PARTITION_MOVED, "a queue was deleted", deleted);
                        continue;
                    }
                    forms.add(form(cycle, List.copyOf(each.values())));
                    drafts.add(each);
                    positions.add(i);
                } catch (CipherException e) {
                    answers[i] = new Answer.NotSealed(e.getMessage());
                }
            }
            if (forms.isEmpty()) {
                return Future.succeededFuture(List.of(answers));
            }
            return routine.call(connection, forms, encryption.epoch()).map(judgements -> {
                for (int i = 0; i < judgements.size(); i++) {
                    answers[positions.get(i)] = new Answer.Judged(judgements.get(i), drafts.get(i));
                }
                return List.of(answers);
            }).recover(cause -> batch.size() > 1 ? Future.failedFuture(cause) : alone(cause));
        }

        private Form form(Cycle cycle, List<SegmentDraft> drafts) {
            CycleCommand command = cycle.command();
            boolean isSealed = stateEncryption.isRequiredFor(cycle.sourceQueue());
            List<byte[]> values = new ArrayList<>(command.ops().size());
            for (StateOp op : command.ops()) {
                values.add(isSealed && op.value() != null
                        ? stateEncryption.seal(command.queryId(), command.partitionId(), op)
                        : op.value());
            }
            return new Form(cycle, values, isSealed, drafts);
        }

        /** What stands in the way of one cycle among many is found by halving, and means something only when it is alone. */
        private Future<List<Answer>> alone(Throwable cause) {
            SqlFailure why = SqlFailure.of(cause);
            return switch (why) {
                case PARTITION_MOVED, LEASE_GONE, OUTDATED, FULL -> Future.succeededFuture(
                        List.of(new Answer.NotDone(why, SqlFailure.messageOf(cause), SqlFailure.partitionsOf(cause))));
                default -> Future.failedFuture(cause);
            };
        }

        @Override
        public long bytes(Cycle cycle) {
            return cycle.bytes();
        }

        @Override
        public void settle(Cycle cycle, Answer answer) {
            switch (answer) {
                case Answer.Judged(var judgement, var drafts) -> Cycles.this.settle(cycle, judgement, drafts);
                case Answer.Outdated() -> comeBack(cycle, "the database history changed");
                case Answer.NotSealed(var error) -> {
                    cycle.bundle().countRefused(PushRefusal.ENCRYPTION, error, encryption::isRequiredFor);
                    bundles.free(cycle.bundle());
                    Cycles.this.refuse(cycle, error);
                }
                case Answer.NotDone(var why, var error, var partitions) -> {
                    switch (why) {
                        case FULL -> {
                            cycle.bundle().countRefused(PushRefusal.FULL, error, PushPartition::isLimited);
                            bundles.free(cycle.bundle());
                            Cycles.this.refuse(cycle, error);
                        }
                        // It is judged anew, and then it is known why.
                        case LEASE_GONE -> comeBack(cycle, Verdict.LEASE_GONE.reason());
                        case OUTDATED -> {
                            queries.forget(cycle.command().queryId());
                            catalog.look(Reply.of(_ -> comeBack(cycle, "the options of a queue keep changing"),
                                    failure -> {
                                        bundles.free(cycle.bundle());
                                        fail(cycle, failure);
                                    }));
                        }
                        default -> bundles.prepareAgain(cycle.bundle(), partitions, prepared(cycle));
                    }
                }
            }
        }

        @Override
        public void refuse(Cycle cycle, Failure failure) {
            // What a lost call did will show when its partitions are next used.
            bundles.invalidateHeads(cycle.bundle());
            bundles.free(cycle.bundle());
            switch (failure) {
                case Failure.Refused refused -> Cycles.this.refuse(cycle, refused.message());
                case Failure.Unavailable _, Failure.Overloaded _, Failure.Maintenance _ -> fail(cycle, failure);
            }
        }
    }
}
