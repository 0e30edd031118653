package io.queenmq.server.push;

import io.queenmq.server.catalog.Catalog;
import io.queenmq.server.catalog.Queue;
import io.queenmq.server.config.EngineConfig;
import io.queenmq.server.lane.Arrivals;
import io.queenmq.server.lane.SegmentCache;
import io.queenmq.server.numbers.Numbers;
import io.queenmq.server.postgres.Link;
import io.queenmq.server.postgres.Links;
import io.queenmq.server.postgres.SqlFailure;
import io.queenmq.server.push.CatchUps.Finding;
import io.queenmq.server.push.Duplicates.Verdict;
import io.queenmq.server.reply.Failure;
import io.queenmq.server.reply.Reply;
import io.queenmq.server.time.Timers;
import io.queenmq.server.wave.Carrier;
import io.queenmq.server.wave.Operation;
import io.queenmq.server.wave.WaveMeters;
import io.queenmq.server.wave.Waves;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;

/**
 * The push room. A message stands in line in its lane; lanes with somebody in line go to PostgreSQL together. A lane
 * whose transactionIds are not all known catches up first. Owned by the engine loop.
 */
public final class Pushes {
    private static final long LOCKED_RETRY_FIRST_NS = 5_000_000;
    private static final long LOCKED_RETRY_MAX_NS = 500_000_000;

    private final Catalog catalog;
    private final PushLanes lanes;
    private final PushRoutines routines;
    private final CatchUps catchUps;
    private final Duplicates duplicates;
    private final Sealing sealing;
    private final SegmentCache cache;
    private final Arrivals arrivals;
    private final Timers timers;
    private final Numbers numbers;
    private final long unavailableAfterNs;
    private final Waves<PushLane> pushes;
    private final Waves<PushLane> boundedPushes;

    public Pushes(String apiSchema, Catalog catalog, PushLanes lanes, Duplicates duplicates, Sealing sealing,
            SegmentCache cache, Arrivals arrivals, Numbers numbers, Links flushed, Timers timers, EngineConfig config,
            WaveMeters meters) {
        this.catalog = catalog;
        this.lanes = lanes;
        this.duplicates = duplicates;
        this.sealing = sealing;
        this.cache = cache;
        this.arrivals = arrivals;
        this.timers = timers;
        this.numbers = numbers;
        this.unavailableAfterNs = config.unavailableAfter().toNanos();
        this.routines = new PushRoutines(apiSchema, config.dedupMessages(), lanes::windowSeconds);
        this.catchUps = new CatchUps(routines, flushed, timers, config, meters);
        this.pushes = new Waves<>(Operation.PUSH, flushed, timers, config, meters, new PushCarrier(routines::push));
        this.boundedPushes = new Waves<>(Operation.PUSH_BOUNDED, flushed, timers, config, meters,
                new PushCarrier(routines::pushBounded));
        lanes.onFree(this::move);
        catalog.onChange(this::onQueueChanged);
    }

    public void accept(PushCommand command) {
        if (catalog.maintenance().isPushOff()) {
            command.reply().fail(Failure.Maintenance.OF_PUSH);
            return;
        }
        PushTally tally = new PushTally(command, numbers.pushRequested());
        long nowNs = timers.nowNs();
        List<PushItem> items = command.items();
        for (int i = 0; i < items.size(); i++) {
            enter(new PendingPush(items.get(i), command.isRedrive(), nowNs, tally, i));
        }
    }

    public CatchUps catchUps() {
        return catchUps;
    }

    /** A segment was stored, by this room or by a transaction: the memory of its lane and its consumers hear of it. */
    public void onStored(PushLane lane, SegmentDraft draft) {
        lane.numbers().pushed(draft.count(), draft.isFirst());
        lane.stored(draft);
        lanes.trim(lane);
        if (arrivals.pushed(lane.queue(), lane.name(), lane.id(), lane.window().known())) {
            cache.add(lane.id(), draft.segment());
        }
    }

    private void onQueueChanged(String name) {
        Queue queue = catalog.find(name);
        if (queue != null) {
            lanes.forgetWindows(queue);
        }
    }

    private void enter(PendingPush pending) {
        Queue queue = catalog.find(pending.item().queue());
        if (queue != null) {
            enter(queue, pending);
        } else {
            catalog.require(pending.item().queue(),
                    Reply.of(created -> enter(created, pending), pending::unavailable));
        }
    }

    private void enter(Queue queue, PendingPush pending) {
        PushLane lane = lanes.of(queue, pending.item().partition());
        lane.numbers().pushRequested(pending.request());
        lane.add(pending);
        move(lane);
    }

    /** Sends a lane on its way, if somebody is in line and nobody is at work on it. */
    private void move(PushLane lane) {
        if (lane.hasWaiting() && lanes.tryTake(lane)) {
            if (lane.isCaughtUp()) {
                offer(lane);
            } else {
                catchUp(lane);
            }
        }
    }

    /** Lanes of queues that take only so many messages go apart from all others, because they take turns. */
    private void offer(PushLane lane) {
        (lane.queue().options().isLimited() ? boundedPushes : pushes).offer(lane);
    }

    private void catchUp(PushLane lane) {
        catchUps.catchUp(lane, Reply.of(finding -> onCaughtUp(lane, finding), failure -> giveUp(lane, failure)));
    }

    private void onCaughtUp(PushLane lane, Finding finding) {
        switch (finding) {
            case MOVED -> offer(lane);
            // A caught-up lane that takes nothing is locked by somebody's open transaction.
            case SAME -> retryLocked(lane, () -> offer(lane));
            case BUSY -> retryLocked(lane, () -> catchUp(lane));
            case MISSING -> moveOut(lane);
        }
    }

    /** A lane that is locked is tried again, apart from all others, until those in line have waited long enough. */
    private void retryLocked(PushLane lane, Runnable retry) {
        long nowNs = timers.nowNs();
        while (lane.hasWaiting() && nowNs - lane.peek().sinceNs() > unavailableAfterNs) {
            lane.poll().failed("the lane is locked by another transaction of the database");
        }
        if (!lane.hasWaiting()) {
            lanes.free(lane);
            return;
        }
        lane.countRefusal();
        long delayNs = Math.min(LOCKED_RETRY_FIRST_NS << Math.min(lane.refusals() - 1, 10), LOCKED_RETRY_MAX_NS);
        timers.after(delayNs, retry);
    }

    /** The lane's queue was deleted: those in line go to the queue that will be created under its name. */
    private void moveOut(PushLane lane) {
        catalog.forget(lane.queue());
        lanes.remove(lane);
        while (lane.hasWaiting()) {
            enter(lane.poll());
        }
        // Transactions that wait for the lane have to find out, too.
        lanes.free(lane);
    }

    private void giveUp(PushLane lane, Failure failure) {
        while (lane.hasWaiting()) {
            lane.poll().unavailable(failure);
        }
        lanes.free(lane);
    }

    private void examine(PushLane lane, PendingPush suspect) {
        long offset = lane.window().find(suspect.item().hash());
        duplicates.examine(lane, suspect.item(), Reply.of(verdict -> {
            switch (verdict) {
                case Verdict.Unique _ -> goOn(lane, suspect, offset);
                case Verdict.Itself _ -> {
                    lane.numbers().pushed(1, false);
                    suspect.queued(lane.id());
                }
                case Verdict.DuplicateOf(var messageId) -> {
                    if (suspect.isRedriven()) {
                        goOn(lane, suspect, offset);
                    } else {
                        suspect.duplicateOf(lane.id(), messageId);
                    }
                }
            }
        }, suspect::unavailable));
    }

    /** The message at this offset does not stand in the way of the suspect. */
    private void goOn(PushLane lane, PendingPush suspect, long offset) {
        suspect.proveUnique(offset);
        lane.putBack(suspect);
        move(lane);
    }

    /** One of the two routines that store segments. */
    private interface Call {
        Future<Void> push(Link link, List<SegmentDraft> drafts, long encryptionEpoch);
    }

    private final class PushCarrier implements Carrier<PushLane> {
        private final Call call;

        PushCarrier(Call call) {
            this.call = call;
        }

        @Override
        public Future<Void> carry(Link link, List<PushLane> wave) {
            List<SegmentDraft> drafts = new ArrayList<>(wave.size());
            List<PushLane> drafted = new ArrayList<>(wave.size());
            for (PushLane lane : wave) {
                List<PendingPush> suspects = new ArrayList<>(0);
                SegmentDraft draft = lane.draft(suspects, sealing);
                for (PendingPush suspect : suspects) {
                    examine(lane, suspect);
                }
                if (draft.count() > 0) {
                    drafts.add(draft);
                    drafted.add(lane);
                } else {
                    lanes.free(lane);
                }
            }
            if (drafts.isEmpty()) {
                return Future.succeededFuture();
            }
            return call.push(link, drafts, sealing.epoch()).<Void>map(_ -> {
                for (int i = 0; i < drafts.size(); i++) {
                    settle(drafted.get(i), drafts.get(i));
                }
                return null;
            }).onFailure(_ -> drafted.forEach(PushLane::putBack)).recover(cause -> {
                if (SqlFailure.of(cause) != SqlFailure.OUTDATED) {
                    return Future.failedFuture(cause);
                }
                // Another server has switched encryption on somewhere, maybe here.
                catalog.look(Reply.of(_ -> drafted.forEach(Pushes.this::offer),
                        failure -> drafted.forEach(lane -> giveUp(lane, failure))));
                return Future.succeededFuture();
            });
        }

        private void settle(PushLane lane, SegmentDraft draft) {
            if (draft.isStored()) {
                onStored(lane, draft);
                lanes.free(lane);
            } else if (draft.refusal() != null) {
                lane.refused(draft);
                lanes.free(lane);
            } else {
                lane.putBack();
                catchUp(lane);
            }
        }

        @Override
        public void refuse(PushLane lane, Failure failure) {
            switch (failure) {
                case Failure.Refused refused -> {
                    PendingPush culprit = lane.narrowDown();
                    if (culprit != null) {
                        culprit.failed(refused.message());
                    }
                    lanes.free(lane);
                }
                case Failure.Unavailable _, Failure.Overloaded _, Failure.Maintenance _ -> giveUp(lane, failure);
            }
        }
    }
}
