package io.queenmq.server.pop;

import io.queenmq.server.config.EngineConfig;
import io.queenmq.server.pop.PopRoutines.CursorOpening;
import io.queenmq.server.postgres.Link;
import io.queenmq.server.postgres.Links.Durability;
import io.queenmq.server.postgres.ShardLinks;
import io.queenmq.server.reply.Failure;
import io.queenmq.server.time.Timers;
import io.queenmq.server.wave.Carrier;
import io.queenmq.server.wave.Operation;
import io.queenmq.server.wave.ShardWaves;
import io.queenmq.server.wave.WaveMeters;
import io.vertx.core.Future;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Gets lanes leased for pops. Where the group has no cursor, the call opens one; where it could not, and where a lease ran
 * out, that is seen to and the lane tried again, once. Ordinary leases may be forgotten in a crash; an autoAck moves the cursor and may not. Owned by the engine loop.
 */
final class LeaseDesk {
    private final PopRoutines routines;
    private final LeaseIds leaseIds;
    private final Timers timers;
    private final Consumer<LeaseRound> onLeased;
    private final ShardWaves<LeaseRound, Void> leases;
    private final ShardWaves<LeaseRound, Void> autoAcks;
    private final ShardWaves<CursorOpening, Boolean> openings;
    private final ShardWaves<Expiry, Void> expiries;
    private final ShardWaves<Release, Boolean> releases;

    LeaseDesk(PopRoutines routines, ShardLinks links, Timers timers, LeaseIds leaseIds,
            EngineConfig config, WaveMeters meters, Consumer<LeaseRound> onLeased) {
        this.routines = routines;
        this.timers = timers;
        this.leaseIds = leaseIds;
        this.onLeased = onLeased;
        this.leases = new ShardWaves<>(Operation.LEASE, links, Durability.RELAXED, LeaseRound::shard, timers, config,
                meters, new LeaseCarrier(false));
        this.autoAcks = new ShardWaves<>(Operation.AUTO_ACK, links, Durability.FLUSHED, LeaseRound::shard, timers,
                config, meters, new LeaseCarrier(true));
        this.openings = new ShardWaves<>(Operation.OPEN_CURSORS, links, Durability.RELAXED,
                opening -> opening.lane().shard(), timers, config, meters, new OpeningCarrier());
        this.expiries = new ShardWaves<>(Operation.EXPIRE, links, Durability.RELAXED, expiry -> expiry.lane.shard(),
                timers, config, meters, new ExpiryCarrier());
        this.releases = new ShardWaves<>(Operation.RELEASE, links, Durability.RELAXED,
                release -> links.shardOf(release.partitionId), timers, config, meters, new ReleaseCarrier());
    }

    /** @param fromAt where the group begins in lanes it has no cursor in; null for their beginning */
    void lease(Pop pop, List<GroupLane> lanes, OffsetDateTime fromAt) {
        UUID leaseId = pop.leaseId(leaseIds, lanes.getFirst());
        offer(new LeaseRound(pop, leaseId, lanes, fromAt));
    }

    /** These lanes cannot be asked for. */
    void refuse(Pop pop, List<GroupLane> lanes, Failure failure) {
        LeaseRound round = new LeaseRound(pop, pop.leaseId(leaseIds, lanes.getFirst()), lanes, null);
        round.setFailure(failure);
        onLeased.accept(round);
    }

    void release(UUID leaseId, String group, UUID partitionId, Runnable onDone) {
        releases.offer(new Release(leaseId, group, partitionId, onDone));
    }

    private void offer(LeaseRound round) {
        (round.pop().command().autoAck() ? autoAcks : leases).offer(round);
    }

    private void onAnswered(LeaseRound round) {
        for (LeaseRound.Try each : round.tries()) {
            if (each.isAnswered() && !each.lane().hasCursor()) {
                // The call may have opened it.
                each.lane().setCursor(true);
                each.lane().backlog().numbers().touched(each.lane().id());
            }
        }
        List<LeaseRound.Try> unprepared = new ArrayList<>(0);
        if (!round.isPrepared()) {
            for (LeaseRound.Try each : round.tries()) {
                if (each.status() == LeaseStatus.ABSENT || each.status() == LeaseStatus.EXPIRED) {
                    unprepared.add(each);
                }
            }
        }
        if (unprepared.isEmpty()) {
            onLeased.accept(round);
            return;
        }
        round.prepare(unprepared);
        for (LeaseRound.Try each : unprepared) {
            if (each.status() == LeaseStatus.EXPIRED) {
                expiries.offer(new Expiry(each.lane(), round));
            } else {
                openings.offer(new CursorOpening(each.lane(), round));
            }
        }
    }

    private void onPrepared(LeaseRound round) {
        if (!round.finishStep()) {
            return;
        }
        if (round.messagesWanted() > 0 && round.lanesWanted() > 0) {
            offer(round);
        } else {
            round.spareTheRest();
            onLeased.accept(round);
        }
    }

    private final class LeaseCarrier implements Carrier<LeaseRound, Void> {
        private final boolean isAutoAck;

        LeaseCarrier(boolean isAutoAck) {
            this.isAutoAck = isAutoAck;
        }

        @Override
        public Future<List<Void>> carry(Link link, List<LeaseRound> wave) {
            return routines.lease(link, wave, isAutoAck, timers::nowNs).map(Collections.nCopies(wave.size(), null));
        }

        @Override
        public void settle(LeaseRound round, Void answered) {
            onAnswered(round);
        }

        @Override
        public void refuse(LeaseRound round, Failure failure) {
            round.setFailure(failure);
            onLeased.accept(round);
        }
    }

    private final class OpeningCarrier implements Carrier<CursorOpening, Boolean> {
        @Override
        public Future<List<Boolean>> carry(Link link, List<CursorOpening> wave) {
            return routines.openCursors(link, wave);
        }

        @Override
        public void settle(CursorOpening opening, Boolean exists) {
            opening.lane().setCursor(exists);
            opening.lane().backlog().numbers().touched(opening.lane().id());
            onPrepared(opening.round());
        }

        @Override
        public void refuse(CursorOpening opening, Failure failure) {
            onPrepared(opening.round());
        }
    }

    private final class ExpiryCarrier implements Carrier<Expiry, Void> {
        @Override
        public Future<List<Void>> carry(Link link, List<Expiry> wave) {
            return routines.expire(link, wave.stream().map(Expiry::lane).toList())
                    .map(Collections.nCopies(wave.size(), null));
        }

        @Override
        public void settle(Expiry expiry, Void ended) {
            expiry.lane.backlog().numbers().touched(expiry.lane.id());
            onPrepared(expiry.round);
        }

        @Override
        public void refuse(Expiry expiry, Failure failure) {
            onPrepared(expiry.round);
        }
    }

    private final class ReleaseCarrier implements Carrier<Release, Boolean> {
        @Override
        public Future<List<Boolean>> carry(Link link, List<Release> wave) {
            return routines.release(link, wave);
        }

        @Override
        public boolean isBusy(Release release, Boolean isBusy) {
            return isBusy;
        }

        @Override
        public void settle(Release release, Boolean isBusy) {
            release.onDone.run();
        }

        @Override
        public void refuse(Release release, Failure failure) {
            // It will run out by itself.
        }
    }

    private record Expiry(GroupLane lane, LeaseRound round) {}

    /** A lease to be given back. */
    record Release(UUID leaseId, String group, UUID partitionId, Runnable onDone) {}
}
