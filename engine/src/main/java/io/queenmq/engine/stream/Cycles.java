package io.queenmq.engine.stream;

import io.micrometer.core.instrument.MeterRegistry;
import io.queenmq.engine.ack.AckHolder;
import io.queenmq.engine.ack.AckSorter;
import io.queenmq.engine.batch.Carrier;
import io.queenmq.engine.batch.EngineContext;
import io.queenmq.engine.batch.Operation;
import io.queenmq.engine.batch.ShardBatches;
import io.queenmq.engine.cipher.CipherException;
import io.queenmq.engine.cipher.PayloadCipher;
import io.queenmq.engine.command.AckItem;
import io.queenmq.engine.command.CycleCommand;
import io.queenmq.engine.command.CycleOutcome;
import io.queenmq.engine.command.PushOutcome;
import io.queenmq.engine.command.StateOp;
import io.queenmq.engine.connection.Connection;
import io.queenmq.engine.connection.ConnectionPool.Durability;
import io.queenmq.engine.connection.SqlFailure;
import io.queenmq.engine.reply.Failure;
import io.queenmq.engine.reply.Reply;
import io.queenmq.engine.stream.CyclePlanner.Next;
import io.queenmq.engine.stream.CycleRoutine.CycleResult;
import io.queenmq.engine.stream.CycleRoutine.PreparedCycle;
import io.queenmq.engine.unit.UnitAnswer;
import io.queenmq.engine.unit.UnitDrafts;
import io.queenmq.engine.unit.UnitParts;
import io.queenmq.engine.unit.Units;
import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles the cycles of stream queries: state, pushes and an ack that take effect together. At most one cycle per partition is
 * executed at a time. Cycles of different partitions go to the database in one call, where each takes effect as a whole or not
 * at all. Owned by the engine loop.
 */
public final class Cycles extends Units<Cycle> {
    private static final Logger log = LoggerFactory.getLogger(Cycles.class);

    /** The most cycles that wait for one partition. */
    private static final int WAITING_MAX = 1_000;

    private final Queries queries;
    private final StateEncryption stateEncryption;
    private final CycleRoutine routine;
    private final CycleMeters meters;
    private final ShardBatches<Cycle, UnitAnswer<CycleResult>> calls;
    private final Map<UUID, ArrayDeque<Cycle>> waiting = new HashMap<>();

    public Cycles(EngineContext context, UnitParts parts, Queries queries, PayloadCipher cipher,
            MeterRegistry registry) {
        super(context, parts);
        this.queries = queries;
        this.stateEncryption = new StateEncryption(parts.catalog(), cipher);
        this.routine = new CycleRoutine(context.apiSchema());
        this.meters = new CycleMeters(registry);
        this.calls = ShardBatches.across(context, Operation.CYCLE, Durability.FLUSHED,
                cycle -> context.connections().shardOf(cycle.partitions()), new CycleCarrier());
    }

    public void accept(CycleCommand command) {
        if (parts.catalog().maintenance().isPushOff() && !command.pushes().isEmpty()) {
            command.reply().fail(Failure.Maintenance.OF_PUSH);
            return;
        }
        Cycle cycle = new Cycle(command, timers.nowNs(), history.epoch());
        ArrayDeque<Cycle> line = waiting.get(command.partitionId());
        if (line == null) {
            waiting.put(command.partitionId(), new ArrayDeque<>(1));
            begin(cycle);
        } else if (line.size() < WAITING_MAX) {
            line.add(cycle);
        } else {
            command.reply().fail(new Failure.Overloaded("too many cycles of this partition are waiting"));
        }
    }

    /** A cycle that cannot be begun fails, so that the next one of its partition is executed. */
    @Override
    protected void begin(Cycle cycle) {
        try {
            queries.find(cycle.command().queryId(), Reply.of(sourceQueue -> {
                if (sourceQueue.isEmpty()) {
                    meters.executed(Verdict.NO_QUERY);
                    succeed(cycle, new CycleOutcome.UnknownQuery());
                    return;
                }
                cycle.setSourceQueue(sourceQueue.get());
                findLease(cycle);
            }, failure -> fail(cycle, failure)));
        } catch (RuntimeException bug) {
            log.error("cycle could not be begun", bug);
            fail(cycle, new Failure.Unavailable("this server failed: " + bug));
        }
    }

    private void findLease(Cycle cycle) {
        AckItem ack = cycle.command().ack();
        List<AckItem> acks = ack == null ? List.of() : List.of(ack);
        parts.acks().sort(acks, List.of(), AckSorter.NO_REQUEST, cycle, Reply.of(found -> {
            cycle.setAcks(found);
            if (cycle.isTooLate()) {
                onReady(cycle);
            } else {
                prepare(cycle);
            }
        }, failure -> fail(cycle, failure)));
    }

    @Override
    protected Cycle nextAttempt(Cycle cycle) {
        return new Cycle(cycle.command(), cycle.sinceNs(), history.epoch());
    }

    @Override
    protected void onReady(Cycle cycle) {
        calls.offer(cycle, cycle.sinceNs());
    }

    private void onExecuted(Cycle cycle, UnitDrafts drafts, CycleResult result) {
        meters.executed(result.verdict());
        switch (CyclePlanner.onVerdict(result.verdict(), cycle.isTooLate() ? cycle.refusal() : null)) {
            case Next.Done() -> onDone(cycle, drafts, result);
            case Next.Repeated() -> onRepeated(cycle);
            case Next.Repeat(var reason) -> repeat(cycle, reason);
            case Next.UnknownQuery() -> {
                queries.forget(cycle.command().queryId());
                parts.bundles().free(cycle.bundle());
                succeed(cycle, new CycleOutcome.UnknownQuery());
            }
            case Next.Rejected(var error, var isLeaseGone) -> {
                AckHolder ack = cycle.ack();
                if (isLeaseGone && ack != null) {
                    parts.leases().remove(ack.leaseId(), ack.partitionId());
                }
                parts.bundles().free(cycle.bundle());
                reject(cycle, error);
            }
        }
    }

    private void onDone(Cycle cycle, UnitDrafts drafts, CycleResult result) {
        count(cycle);
        record(cycle, drafts, result.segments());
        AckHolder ack = cycle.ack();
        AckItem item = cycle.command().ack();
        if (ack != null && item != null) {
            boolean isDead = item.status() == AckItem.Status.DLQ;
            ack.numbers().touched(ack.partitionId());
            ack.numbers().acked((int) result.finished() - (isDead ? 1 : 0), isDead ? 1 : 0);
        }
        meters.done(result.finished(), cycle.command().pushes().size(), cycle.command().ops().size());
        succeed(cycle,
                new CycleOutcome.Done(cycle.sourceQueue(), cycle.bundle().committed(), false, result.isReleased()));
        announce(drafts, result.segments());
        if (ack != null && result.isReleased()) {
            release(ack);
        }
    }

    /** The cycle took effect before, maybe by a lost call of this server, which appended to its partitions. */
    private void onRepeated(Cycle cycle) {
        parts.bundles().invalidateHeads(cycle.bundle());
        parts.bundles().free(cycle.bundle());
        List<PushOutcome> outcomes = Collections.nCopies(cycle.command().pushes().size(),
                new PushOutcome.Duplicate(null, null));
        succeed(cycle, new CycleOutcome.Done(cycle.sourceQueue(), outcomes, true, !cycle.command().isLeaseKept()));
    }

    /** The next attempt finds out why. */
    @Override
    protected void onLeaseGone(Cycle cycle, String error) {
        repeat(cycle, Verdict.LEASE_GONE.reason());
    }

    @Override
    protected void failDeletedQueue(Cycle cycle) {
        fail(cycle, new Failure.Unavailable(
                "a partition it pushes to cannot be created, because the database holds only a part of it"));
    }

    @Override
    protected void reject(Cycle cycle, String error) {
        succeed(cycle, new CycleOutcome.Refused(cycle.sourceQueue(), error));
    }

    private void succeed(Cycle cycle, CycleOutcome outcome) {
        beginNext(cycle);
        cycle.command().reply().succeed(outcome);
    }

    @Override
    protected void fail(Cycle cycle, Failure failure) {
        beginNext(cycle);
        cycle.command().reply().fail(failure);
    }

    private void beginNext(Cycle cycle) {
        Cycle next = Objects.requireNonNull(waiting.get(cycle.command().partitionId())).poll();
        if (next == null) {
            waiting.remove(cycle.command().partitionId());
        } else {
            begin(next);
        }
    }

    private final class CycleCarrier implements Carrier<Cycle, UnitAnswer<CycleResult>> {
        @Override
        public Future<List<UnitAnswer<CycleResult>>> carry(Connection connection, List<Cycle> batch) {
            List<UnitAnswer<CycleResult>> answers = new ArrayList<>(Collections.nCopies(batch.size(), null));
            List<Integer> positions = new ArrayList<>(batch.size());
            List<PreparedCycle> prepared = new ArrayList<>(batch.size());
            List<UnitDrafts> drafts = new ArrayList<>(batch.size());
            for (int i = 0; i < batch.size(); i++) {
                switch (draftOrNothing(batch.get(i))) {
                    case Drafting.Answered<CycleResult>(var answer) -> answers.set(i, answer);
                    case Drafting.Drafted<CycleResult>(var each) -> {
                        try {
                            prepared.add(form(batch.get(i), each));
                            drafts.add(each);
                            positions.add(i);
                        } catch (CipherException e) {
                            answers.set(i, new UnitAnswer.NotEncrypted<>(e.getMessage()));
                        }
                    }
                }
            }
            if (prepared.isEmpty()) {
                return Future.succeededFuture(answers);
            }
            return routine.call(connection, prepared, parts.storage().encryption().epoch()).map(results -> {
                List<UnitAnswer<CycleResult>> all = new ArrayList<>(answers);
                for (int i = 0; i < results.size(); i++) {
                    all.set(positions.get(i), new UnitAnswer.Executed<>(drafts.get(i), results.get(i)));
                }
                return all;
            }).recover(cause -> batch.size() > 1 ? Future.failedFuture(cause) : alone(cause));
        }

        /** A cycle that is too late pushes nothing. */
        private Drafting<CycleResult> draftOrNothing(Cycle cycle) {
            return cycle.isTooLate() && !isOutdated(cycle) ? new Drafting.Drafted<>(UnitDrafts.NONE) : draft(cycle);
        }

        private PreparedCycle form(Cycle cycle, UnitDrafts drafts) {
            CycleCommand command = cycle.command();
            boolean isEncrypted = stateEncryption.isRequiredFor(cycle.sourceQueue());
            List<byte[]> values = new ArrayList<>(command.ops().size());
            for (StateOp op : command.ops()) {
                byte[] value = op.value();
                values.add(isEncrypted && value != null
                        ? stateEncryption.encrypt(command.queryId(), command.partitionId(), op.key(), value)
                        : value);
            }
            return new PreparedCycle(cycle, values, isEncrypted, drafts.segments());
        }

        /** The cause of a failed batch is found by bisection, so it is known only for a cycle that is alone. */
        private Future<List<UnitAnswer<CycleResult>>> alone(Throwable cause) {
            return switch (SqlFailure.of(cause)) {
                case PARTITION_MOVED, LEASE_GONE, OUTDATED, FULL ->
                    Future.succeededFuture(List.of(UnitAnswer.notApplied(cause)));
                default -> Future.failedFuture(cause);
            };
        }

        @Override
        public long bytes(Cycle cycle) {
            return cycle.bytes();
        }

        @Override
        public void settle(Cycle cycle, UnitAnswer<CycleResult> answer) {
            switch (answer) {
                case UnitAnswer.Executed<CycleResult>(var drafts, var result) -> onExecuted(cycle, drafts, result);
                case UnitAnswer.NotApplied<CycleResult> notApplied -> {
                    if (notApplied.why() == SqlFailure.OUTDATED) {
                        queries.forget(cycle.command().queryId());
                    }
                    Cycles.this.settle(cycle, notApplied);
                }
                case UnitAnswer.NotEncrypted<CycleResult> _, UnitAnswer.Unknown<CycleResult> _ ->
                    Cycles.this.settle(cycle, answer);
            }
        }

        @Override
        public void refuse(Cycle cycle, Failure failure) {
            onCallFailed(cycle, failure);
        }
    }
}
