package io.queenmq.engine.pop;

import io.queenmq.engine.batch.Carrier;
import io.queenmq.engine.batch.EngineContext;
import io.queenmq.engine.batch.Operation;
import io.queenmq.engine.batch.ShardBatches;
import io.queenmq.engine.connection.Connection;
import io.queenmq.engine.connection.ConnectionPool.Durability;
import io.queenmq.engine.connection.DatabaseHistory;
import io.queenmq.engine.connection.ShardConnections;
import io.queenmq.engine.connection.SqlFailure;
import io.queenmq.engine.pop.PopRoutines.CursorOpening;
import io.queenmq.engine.reply.Failure;
import io.queenmq.engine.time.Timers;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Leases partitions for pops. The call creates missing cursors. If it could not, or if an expired lease is in the way, the
 * cursor is created or the lease ended by a call of its own, and the partition is tried once more. A lease may be lost in a
 * crash; an autoAck moves the cursor and may not. A complete round becomes an event. Owned by the engine loop.
 */
final class LeaseCalls {
    /** A partition whose lease is about to be released is tried again after this time, unless the release is complete before. */
    private static final long RELEASE_WAIT_MS = 100;
    private static final long CLOSE_WITHIN_NS = 2_000_000_000;
    private static final long CLOSE_CHECK_EVERY_NS = 50_000_000;

    private final PopRoutines routines;
    private final LeaseIds leaseIds;
    private final ShardConnections connections;
    private final DatabaseHistory history;
    private final Timers timers;
    private final PopEvents events;
    private final ShardBatches<LeaseRound, List<LeaseAnswer>> leases;
    private final ShardBatches<LeaseRound, List<LeaseAnswer>> autoAcks;
    private final ShardBatches<CursorOpening, Boolean> openings;
    private final ShardBatches<Expiry, Void> expiries;
    private final LeaseReleases releases;
    private int rounds;

    LeaseCalls(EngineContext context, PopRoutines routines, LeaseIds leaseIds, LeaseReleases releases,
            PopEvents events) {
        this.routines = routines;
        this.timers = context.timers();
        this.leaseIds = leaseIds;
        this.connections = context.connections();
        this.history = connections.history();
        this.events = events;
        this.leases = new ShardBatches<>(context, Operation.LEASE, Durability.RELAXED, LeaseRound::shard,
                new LeaseCarrier(false));
        this.autoAcks = new ShardBatches<>(context, Operation.AUTO_ACK, Durability.FLUSHED, LeaseRound::shard,
                new LeaseCarrier(true));
        this.openings = new ShardBatches<>(context, Operation.OPEN_CURSORS, Durability.RELAXED,
                opening -> opening.partition().shard(), new OpeningCarrier());
        this.expiries = new ShardBatches<>(context, Operation.EXPIRE, Durability.RELAXED,
                expiry -> expiry.partition.shard(), new ExpiryCarrier());
        this.releases = releases;
    }

    /** @param fromAt the start position of the group in partitions without a cursor; null for their beginning */
    void lease(Pop pop, List<GroupPartition> partitions, @Nullable OffsetDateTime fromAt) {
        UUID leaseId = pop.leaseId(leaseIds, partitions.getFirst());
        rounds++;
        offer(new LeaseRound(pop, leaseId, partitions, fromAt, history.epoch()));
    }

    /**
     * Completes when no lease call is in flight and every release was executed, or after two seconds: then the remaining
     * leases expire.
     */
    Future<Void> close() {
        Promise<Void> closed = Promise.promise();
        awaitNone(closed, timers.nowNs() + CLOSE_WITHIN_NS);
        return closed.future();
    }

    private void awaitNone(Promise<Void> closed, long untilNs) {
        boolean isDone = rounds == 0 && releases.count() == 0;
        if (isDone || untilNs - timers.nowNs() <= 0 || !connections.isConnected()) {
            closed.complete();
        } else {
            timers.after(CLOSE_CHECK_EVERY_NS, () -> awaitNone(closed, untilNs));
        }
    }

    /** Returns whether the round began in the current history of the database. */
    private boolean isCurrent(LeaseRound round) {
        return round.epoch() == history.epoch();
    }

    private void offer(LeaseRound round) {
        (round.pop().command().autoAck() ? autoAcks : leases).offer(round);
    }

    private void finish(LeaseRound round) {
        rounds--;
        if (round.isUnknown() && !round.pop().command().autoAck()) {
            for (LeaseRound.Try each : round.tries()) {
                if (each.status() != LeaseStatus.LEASED) {
                    releases.releaseUnknown(round.leaseId(), each.partition());
                }
            }
        }
        events.add(round);
    }

    private void onAnswered(LeaseRound round) {
        if (!isCurrent(round)) {
            finish(round);
            return;
        }
        for (LeaseRound.Try each : round.tries()) {
            if (each.isAnswered() && !each.partition().hasCursor()) {
                // The call may have created it.
                each.partition().setCursor(true);
                each.partition().backlog().numbers().touched(each.partition().id());
            }
        }
        List<LeaseRound.Try> unprepared = new ArrayList<>(0);
        if (!round.isPrepared()) {
            for (LeaseRound.Try each : round.tries()) {
                if (each.status() == LeaseStatus.EXPIRED && isUndelivered(each.partition())) {
                    each.postpone(RELEASE_WAIT_MS);
                } else if (each.status() == LeaseStatus.ABSENT || each.status() == LeaseStatus.EXPIRED) {
                    unprepared.add(each);
                }
            }
        }
        if (unprepared.isEmpty()) {
            finish(round);
            return;
        }
        round.prepare(unprepared);
        for (LeaseRound.Try each : unprepared) {
            if (each.status() == LeaseStatus.EXPIRED && round.isUnknown()) {
                // A lost call of this round may have acquired the expired lease.
                releases.releaseUnknown(round.leaseId(), each.partition(), () -> onPrepared(round));
            } else if (each.status() == LeaseStatus.EXPIRED) {
                expiries.offer(new Expiry(each.partition(), round));
            } else {
                openings.offer(new CursorOpening(each.partition(), round));
            }
        }
    }

    /** Returns whether the last lease of the partition was never delivered. Its expiry must not be charged. */
    private boolean isUndelivered(GroupPartition partition) {
        return partition.undelivered() != null || releases.isPending(partition);
    }

    private void onPrepared(LeaseRound round) {
        if (!round.finishStep()) {
            return;
        }
        if (round.messagesWanted() > 0 && round.partitionsWanted() > 0) {
            offer(round);
        } else {
            round.spareTheRest();
            finish(round);
        }
    }

    private final class LeaseCarrier implements Carrier<LeaseRound, List<LeaseAnswer>> {
        private final boolean isAutoAck;

        LeaseCarrier(boolean isAutoAck) {
            this.isAutoAck = isAutoAck;
        }

        @Override
        public Future<List<List<LeaseAnswer>>> carry(Connection connection, List<LeaseRound> batch) {
            // Rounds of an earlier history end without a call: the start positions of their groups are not known any more.
            List<LeaseRound> current = batch.stream().filter(LeaseCalls.this::isCurrent).toList();
            if (current.isEmpty()) {
                return Future.succeededFuture(Collections.nCopies(batch.size(), List.of()));
            }
            return routines.lease(connection, current, isAutoAck)
                    .map(answers -> current.size() == batch.size() ? answers : spread(batch, current, answers))
                    .onFailure(cause -> {
                        if (SqlFailure.of(cause).isOutcomeUnknown()) {
                            current.forEach(LeaseRound::setUnknown);
                        }
                    });
        }

        private static List<List<LeaseAnswer>> spread(List<LeaseRound> batch, List<LeaseRound> asked,
                List<List<LeaseAnswer>> answers) {
            List<List<LeaseAnswer>> all = new ArrayList<>(batch.size());
            for (LeaseRound round : batch) {
                int index = asked.indexOf(round);
                all.add(index < 0 ? List.of() : answers.get(index));
            }
            return all;
        }

        @Override
        public void settle(LeaseRound round, List<LeaseAnswer> answers) {
            round.answer(answers, timers.nowNs());
            onAnswered(round);
        }

        @Override
        public void refuse(LeaseRound round, Failure failure) {
            round.setFailure(failure);
            finish(round);
        }
    }

    private final class OpeningCarrier implements Carrier<CursorOpening, Boolean> {
        @Override
        public Future<List<Boolean>> carry(Connection connection, List<CursorOpening> batch) {
            return batch.stream().allMatch(opening -> isCurrent(opening.round()))
                    ? routines.openCursors(connection, batch)
                    : Future.succeededFuture(Collections.nCopies(batch.size(), false));
        }

        @Override
        public void settle(CursorOpening opening, Boolean exists) {
            opening.partition().setCursor(exists);
            opening.partition().backlog().numbers().touched(opening.partition().id());
            onPrepared(opening.round());
        }

        @Override
        public void refuse(CursorOpening opening, Failure failure) {
            onPrepared(opening.round());
        }
    }

    private final class ExpiryCarrier implements Carrier<Expiry, Void> {
        @Override
        public Future<List<Void>> carry(Connection connection, List<Expiry> batch) {
            return routines.expire(connection, batch.stream().map(Expiry::partition).toList())
                    .map(Collections.nCopies(batch.size(), null));
        }

        @Override
        public void settle(Expiry expiry, Void ended) {
            expiry.partition.backlog().numbers().touched(expiry.partition.id());
            onPrepared(expiry.round);
        }

        @Override
        public void refuse(Expiry expiry, Failure failure) {
            onPrepared(expiry.round);
        }
    }

    private record Expiry(GroupPartition partition, LeaseRound round) {}
}
