package io.queenmq.engine.pop;

import io.queenmq.engine.batch.Carrier;
import io.queenmq.engine.batch.EngineContext;
import io.queenmq.engine.batch.Operation;
import io.queenmq.engine.batch.ShardBatches;
import io.queenmq.engine.connection.Connection;
import io.queenmq.engine.connection.ConnectionPool.Durability;
import io.queenmq.engine.connection.DatabaseHistory;
import io.queenmq.engine.connection.SqlFailure;
import io.queenmq.engine.pop.PopRoutines.CursorOpening;
import io.queenmq.engine.reply.Failure;
import io.queenmq.engine.time.Timers;
import io.vertx.core.Future;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Gets partitions leased for pops. Where the group has no cursor, the call opens one; where it could not, and where a lease ran
 * out, that is seen to and the partition tried again, once. Ordinary leases may be forgotten in a crash; an autoAck moves the cursor and may not. Owned by the engine loop.
 */
final class LeaseDesk {
    /** A partition whose lease is about to be released is tried again after this time, if nothing is heard of it before. */
    private static final long RELEASE_WAIT_MS = 100;

    private final PopRoutines routines;
    private final LeaseIds leaseIds;
    private final DatabaseHistory history;
    private final Timers timers;
    private final Consumer<LeaseRound> onLeased;
    private final ShardBatches<LeaseRound, Void> leases;
    private final ShardBatches<LeaseRound, Void> autoAcks;
    private final ShardBatches<CursorOpening, Boolean> openings;
    private final ShardBatches<Expiry, Void> expiries;
    private final LeaseReleases releases;
    private int rounds;

    LeaseDesk(EngineContext context, PopRoutines routines, LeaseIds leaseIds, LeaseReleases releases,
            Consumer<LeaseRound> onLeased) {
        this.routines = routines;
        this.timers = context.timers();
        this.leaseIds = leaseIds;
        this.history = context.connections().history();
        this.onLeased = onLeased;
        this.leases = new ShardBatches<>(context, Operation.LEASE, Durability.RELAXED, LeaseRound::shard,
                new LeaseCarrier(false));
        this.autoAcks = new ShardBatches<>(context, Operation.AUTO_ACK, Durability.FLUSHED, LeaseRound::shard,
                new LeaseCarrier(true));
        this.openings = new ShardBatches<>(context, Operation.OPEN_CURSORS, Durability.RELAXED,
                opening -> opening.partition().shard(), new OpeningCarrier());
        this.expiries = new ShardBatches<>(context, Operation.EXPIRE, Durability.RELAXED,
                expiry -> expiry.partition.shard(), new ExpiryCarrier());
        this.releases = releases;
        releases.awaitCalls(() -> rounds);
    }

    /** @param fromAt where the group begins in partitions it has no cursor in; null for their beginning */
    void lease(Pop pop, List<GroupPartition> partitions, OffsetDateTime fromAt) {
        UUID leaseId = pop.leaseId(leaseIds, partitions.getFirst());
        rounds++;
        offer(new LeaseRound(pop, leaseId, partitions, fromAt, history.epoch()));
    }

    /** These partitions cannot be asked for. */
    void refuse(Pop pop, List<GroupPartition> partitions, Failure failure) {
        LeaseRound round = new LeaseRound(pop, pop.leaseId(leaseIds, partitions.getFirst()), partitions, null,
                history.epoch());
        round.setFailure(failure);
        onLeased.accept(round);
    }

    /** Whether the round was begun in the current history of the database. */
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
        onLeased.accept(round);
    }

    private void onAnswered(LeaseRound round) {
        if (!isCurrent(round)) {
            finish(round);
            return;
        }
        for (LeaseRound.Try each : round.tries()) {
            if (each.isAnswered() && !each.partition().hasCursor()) {
                // The call may have opened it.
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

    /** Whether the last lease of the partition was never delivered, so that its expiry must not be charged. */
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

    private final class LeaseCarrier implements Carrier<LeaseRound, Void> {
        private final boolean isAutoAck;

        LeaseCarrier(boolean isAutoAck) {
            this.isAutoAck = isAutoAck;
        }

        @Override
        public Future<List<Void>> carry(Connection connection, List<LeaseRound> batch) {
            List<LeaseRound> current = batch.stream().filter(LeaseDesk.this::isCurrent).toList();
            if (current.isEmpty()) {
                return Future.succeededFuture(Collections.nCopies(batch.size(), null));
            }
            // The others are given up when they are settled: where their groups begin is not known any more.
            return routines.lease(connection, current, isAutoAck, timers::nowNs)
                    .<List<Void>>map(Collections.nCopies(batch.size(), null)).onFailure(cause -> {
                        if (SqlFailure.of(cause).isOutcomeUnknown()) {
                            current.forEach(LeaseRound::setUnknown);
                        }
                    });
        }

        @Override
        public void settle(LeaseRound round, Void answered) {
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
