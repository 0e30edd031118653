package io.queenmq.engine.unit;

import io.queenmq.engine.ack.AckHolder;
import io.queenmq.engine.batch.EngineContext;
import io.queenmq.engine.cipher.CipherException;
import io.queenmq.engine.connection.DatabaseHistory;
import io.queenmq.engine.connection.SqlFailure;
import io.queenmq.engine.numbers.PushRefusal;
import io.queenmq.engine.partition.Segment;
import io.queenmq.engine.push.PushBundles;
import io.queenmq.engine.push.PushBundles.Finding;
import io.queenmq.engine.push.PushPartition;
import io.queenmq.engine.push.SegmentDraft;
import io.queenmq.engine.reply.Failure;
import io.queenmq.engine.reply.Reply;
import io.queenmq.engine.time.Timers;
import io.queenmq.engine.unit.UnitPlanner.Next;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;

/**
 * Executes units of work of one kind: {@link #prepare} takes the partitions, {@link #draft} and {@link #settle} surround the
 * call, and {@link #record} and {@link #announce} complete a unit that took effect. A unit that is answered, rejected, failed
 * or repeated has no partition. Owned by the engine loop.
 */
public abstract class Units<U extends UnitOfWork> {
    protected final UnitParts parts;
    protected final Timers timers;
    protected final DatabaseHistory history;
    private final long unavailableAfterNs;

    protected Units(EngineContext context, UnitParts parts) {
        this.parts = parts;
        this.timers = context.timers();
        this.history = context.connections().history();
        this.unavailableAfterNs = context.config().unavailableAfter().toNanos();
    }

    /** Begins an attempt: finds the leases of its acks, and prepares it. */
    protected abstract void begin(U unit);

    /** Returns the next attempt of a unit, from its beginning. */
    protected abstract U nextAttempt(U unit);

    /** Called when the unit has its partitions and its duplicates are known. */
    protected abstract void onReady(U unit);

    /** Called if a lease of the unit is not live. The unit still has its partitions. */
    protected abstract void onLeaseGone(U unit, String error);

    /** Replies that the unit took no effect, for the given reason. */
    protected abstract void reject(U unit, String error);

    /** Replies that the unit could not be executed. */
    protected abstract void fail(U unit, Failure failure);

    /** Replies that a queue was deleted repeatedly while the unit was prepared. */
    protected abstract void failDeletedQueue(U unit);

    /** Takes the partitions that the unit pushes to. Its acks are set. */
    protected final void prepare(U unit) {
        parts.bundles().prepare(unit.bundle(), prepared(unit));
    }

    private Reply<Finding> prepared(U unit) {
        return Reply.of(finding -> {
            switch (finding) {
                case READY -> onReady(unit);
                case GONE -> repeatInNewQueue(unit);
            }
        }, failure -> fail(unit, failure));
    }

    /** Returns true if leases and duplicates were found in a database that has another history now. */
    protected final boolean isOutdated(U unit) {
        return unit.epoch() != history.epoch();
    }

    /** Returns the segments for the next call, or the answer of a unit for which no call can be made. */
    protected final <R> Drafting<R> draft(U unit) {
        if (isOutdated(unit)) {
            return new Drafting.Answered<>(new UnitAnswer.Unknown<>("the database history changed"));
        }
        UnitDrafts drafts;
        try {
            drafts = new UnitDrafts(unit.bundle().drafts(parts.storage().encryption()));
        } catch (CipherException e) {
            return new Drafting.Answered<>(new UnitAnswer.NotEncrypted<>(e.getMessage()));
        }
        Set<UUID> deleted = unit.bundle().deleted(parts.storage().encryption());
        return deleted.isEmpty()
                ? new Drafting.Drafted<>(drafts)
                : new Drafting.Answered<>(
                        new UnitAnswer.NotApplied<>(SqlFailure.PARTITION_MOVED, "a queue was deleted", deleted));
    }

    /** The result of {@link #draft}. */
    protected sealed interface Drafting<R> {
        record Drafted<R>(UnitDrafts drafts) implements Drafting<R> {}

        record Answered<R>(UnitAnswer<R> answer) implements Drafting<R> {}
    }

    /** Continues a unit whose call was not executed. */
    protected final void settle(U unit, UnitAnswer<?> answer) {
        switch (answer) {
            case UnitAnswer.Executed<?> _ -> throw new IllegalArgumentException("the call was executed");
            case UnitAnswer.NotEncrypted<?> notEncrypted -> execute(unit, UnitPlanner.onNotEncrypted(notEncrypted));
            case UnitAnswer.Unknown<?> unknown -> execute(unit, UnitPlanner.onUnknown(unknown));
            case UnitAnswer.NotApplied<?> notApplied -> {
                unit.bundle().storedNothing();
                execute(unit, UnitPlanner.onNotApplied(notApplied));
            }
        }
    }

    private void execute(U unit, Next next) {
        switch (next) {
            case Next.Repeat(var reason) -> repeat(unit, reason);
            case Next.PrepareAgain(var partitions) ->
                parts.bundles().prepareAgain(unit.bundle(), partitions, prepared(unit));
            case Next.RefreshCatalog(var reason) ->
                parts.catalog().refresh(Reply.of(_ -> repeat(unit, reason), failure -> {
                    parts.bundles().free(unit.bundle());
                    fail(unit, failure);
                }));
            case Next.Reject(var refusal, var error) -> {
                unit.bundle().countRefused(refusal, error,
                        refusal == PushRefusal.FULL
                                ? PushPartition::isLimited
                                : parts.storage().encryption()::isRequiredFor);
                parts.bundles().free(unit.bundle());
                reject(unit, error);
            }
            case Next.LeaseGone(var error) -> onLeaseGone(unit, error);
        }
    }

    /** Begins the next attempt after a delay. The partitions of the unit are free meanwhile. */
    protected final void repeat(U unit, String reason) {
        parts.bundles().free(unit.bundle());
        OptionalLong delayNs = UnitPlanner.repeatDelayNs(timers.nowNs() - unit.sinceNs(), unavailableAfterNs);
        if (delayNs.isPresent()) {
            timers.after(delayNs.getAsLong(), () -> begin(nextAttempt(unit)));
        } else {
            fail(unit, new Failure.Unavailable(reason));
        }
    }

    /** Begins the next attempt in the queue that has the name of a deleted one. */
    private void repeatInNewQueue(U unit) {
        if (timers.nowNs() - unit.sinceNs() > unavailableAfterNs) {
            failDeletedQueue(unit);
        } else {
            timers.after(UnitPlanner.QUEUE_DELETED_DELAY_NS, () -> begin(nextAttempt(unit)));
        }
    }

    /** Ends a unit whose call failed. A lost call may have appended to its partitions. */
    protected final void onCallFailed(U unit, Failure failure) {
        PushBundles bundles = parts.bundles();
        bundles.invalidateHeads(unit.bundle());
        bundles.free(unit.bundle());
        switch (failure) {
            case Failure.Refused refused -> reject(unit, refused.message());
            case Failure.Unavailable _, Failure.Overloaded _, Failure.Maintenance _ -> fail(unit, failure);
        }
    }

    /** Records the segments that a unit stored, and frees its partitions. */
    protected final void record(U unit, UnitDrafts drafts, List<Segment> segments) {
        int i = 0;
        for (Map.Entry<PushPartition, SegmentDraft> each : drafts.drafts().entrySet()) {
            parts.storage().stored().record(each.getKey(), segments.get(i++), each.getValue().isFirst());
        }
        parts.bundles().free(unit.bundle());
    }

    /** Signals the arrival of the segments. Must be called after the client was answered. */
    protected final void announce(UnitDrafts drafts, List<Segment> segments) {
        int i = 0;
        for (PushPartition partition : drafts.drafts().keySet()) {
            parts.storage().stored().announce(partition, segments.get(i++));
        }
    }

    /** Counts a unit that took effect, for each of its queues. */
    protected final void count(U unit) {
        long request = parts.numbers().transacted();
        unit.bundle().partitions().forEach(partition -> partition.numbers().transacted(request));
        unit.acks().forEach(acks -> acks.numbers().transacted(request));
    }

    /** Signals that a lease is over. Must be called after the client was answered. */
    protected final void release(AckHolder acks) {
        parts.leases().remove(acks.leaseId(), acks.partitionId());
        parts.arrivals().released(acks.queue(), acks.partitionId(), acks.group(), -1);
    }
}
