package io.queenmq.server.push;

import io.queenmq.server.catalog.Catalog;
import io.queenmq.server.catalog.Queue;
import io.queenmq.server.config.EngineConfig;
import io.queenmq.server.lane.Arrivals;
import io.queenmq.server.lane.SegmentCache;
import io.queenmq.server.lane.SegmentReader;
import io.queenmq.server.lane.StoredLine;
import io.queenmq.server.postgres.Link;
import io.queenmq.server.postgres.Links;
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
    private final SegmentCache cache;
    private final SegmentReader reader;
    private final Arrivals arrivals;
    private final Timers timers;
    private final long unavailableAfterNs;
    private final Waves<PushLane> pushes;
    private final Waves<PushLane> catchUps;

    public Pushes(String apiSchema, Catalog catalog, PushLanes lanes, SegmentCache cache, SegmentReader reader,
            Arrivals arrivals, Links flushed, Timers timers, EngineConfig config, WaveMeters meters) {
        this.catalog = catalog;
        this.lanes = lanes;
        this.cache = cache;
        this.reader = reader;
        this.arrivals = arrivals;
        this.timers = timers;
        this.unavailableAfterNs = config.unavailableAfter().toNanos();
        this.routines = new PushRoutines(apiSchema, config.dedupMessages(), (int) config.dedupWindow().toSeconds());
        this.pushes = new Waves<>(Operation.PUSH, flushed, timers, config, meters, new PushCarrier());
        this.catchUps = new Waves<>(Operation.CATCH_UP, flushed, timers, config, meters, new CatchUpCarrier());
        lanes.onFree(this::move);
    }

    public void accept(PushCommand command) {
        PushTally tally = new PushTally(command);
        long nowNs = timers.nowNs();
        List<PushItem> items = command.items();
        for (int i = 0; i < items.size(); i++) {
            enter(new PendingPush(items.get(i), nowNs, tally, i));
        }
    }

    private void enter(PendingPush pending) {
        Queue queue = catalog.find(pending.item().queue());
        if (queue != null) {
            enter(queue, pending);
            return;
        }
        catalog.require(pending.item().queue(),
                Reply.of(created -> enter(created, pending), pending::unavailable));
    }

    private void enter(Queue queue, PendingPush pending) {
        PushLane lane = lanes.of(queue, pending.item().partition());
        lane.add(pending);
        move(lane);
    }

    /** Sends a lane on its way, if somebody is in line and nobody is at work on it. */
    private void move(PushLane lane) {
        if (lane.hasWaiting() && lanes.tryTake(lane)) {
            send(lane);
        }
    }

    private void send(PushLane lane) {
        (lane.isCaughtUp() ? pushes : catchUps).offer(lane);
    }

    private void settle(PushLane lane, SegmentDraft draft) {
        if (draft.isStored()) {
            cache.add(lane.id(), draft.segment());
            lane.stored(draft);
            lanes.trim(lane);
            arrivals.pushed(lane.queue(), lane.name(), lane.id(), lane.window().known());
            lanes.free(lane);
        } else {
            lane.putBack();
            catchUps.offer(lane);
        }
    }

    /** A caught-up lane that still takes nothing is locked by somebody's open transaction: it is tried again apart. */
    private void onCaughtUp(PushLane lane, long knownBefore) {
        if (lane.isMissing()) {
            moveOut(lane);
        } else if (lane.window().known() != knownBefore) {
            pushes.offer(lane);
        } else {
            retryLocked(lane);
        }
    }

    private void retryLocked(PushLane lane) {
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
        timers.after(delayNs, () -> pushes.offer(lane));
    }

    /** The lane's queue was deleted: those in line go to the queue that will be created under its name. */
    private void moveOut(PushLane lane) {
        catalog.forget(lane.queue());
        lanes.remove(lane);
        while (lane.hasWaiting()) {
            enter(lane.poll());
        }
    }

    /** Looks up the message a suspect may be a duplicate of, and decides by the transactionId itself. */
    private void examine(PushLane lane, PendingPush suspect) {
        long offset = lane.window().find(suspect.item().hash());
        if (offset < 0) {
            reenter(lane, suspect);
            return;
        }
        reader.read(lane.id(), offset, Reply.of(segment -> {
            if (segment == null) {
                suspect.proveUnique();
                reenter(lane, suspect);
                return;
            }
            int lineStart = segment.lineStart((int) (offset - segment.base()));
            byte[] line = suspect.item().line();
            if (!StoredLine.isSameTransaction(segment.body(), lineStart, line, 0)) {
                suspect.proveUnique();
                reenter(lane, suspect);
            } else if (StoredLine.messageId(segment.body(), lineStart).equals(suspect.item().messageId())) {
                // Our own message: the call that stored it lost its connection before it could say so.
                suspect.queued(lane.id());
            } else {
                suspect.duplicateOf(lane.id(), StoredLine.messageId(segment.body(), lineStart));
            }
        }, suspect::unavailable));
    }

    private void reenter(PushLane lane, PendingPush pending) {
        lane.putBack(pending);
        move(lane);
    }

    private final class PushCarrier implements Carrier<PushLane> {
        @Override
        public Future<Void> carry(Link link, List<PushLane> wave) {
            List<SegmentDraft> drafts = new ArrayList<>(wave.size());
            List<PushLane> drafted = new ArrayList<>(wave.size());
            List<Runnable> examinations = new ArrayList<>(0);
            for (PushLane lane : wave) {
                List<PendingPush> suspects = new ArrayList<>(0);
                SegmentDraft draft = lane.draft(suspects);
                for (PendingPush suspect : suspects) {
                    examinations.add(() -> examine(lane, suspect));
                }
                if (draft.count() > 0) {
                    drafts.add(draft);
                    drafted.add(lane);
                } else {
                    examinations.add(() -> lanes.free(lane));
                }
            }
            examinations.forEach(Runnable::run);
            if (drafts.isEmpty()) {
                return Future.succeededFuture();
            }
            return routines.push(link, drafts).<Void>map(_ -> {
                for (int i = 0; i < drafts.size(); i++) {
                    settle(drafted.get(i), drafts.get(i));
                }
                return null;
            }).onFailure(_ -> drafted.forEach(PushLane::putBack));
        }

        @Override
        public void refuse(PushLane lane, Failure failure) {
            switch (failure) {
                case Failure.Refused refused -> {
                    PendingPush culprit = lane.narrowDown(lane.draftedLast());
                    if (culprit != null) {
                        culprit.failed(refused.message());
                    }
                    lanes.free(lane);
                }
                case Failure.Unavailable _, Failure.Overloaded _ -> giveUp(lane, failure);
            }
        }
    }

    private void giveUp(PushLane lane, Failure failure) {
        while (lane.hasWaiting()) {
            lane.poll().unavailable(failure);
        }
        lanes.free(lane);
    }

    private final class CatchUpCarrier implements Carrier<PushLane> {
        @Override
        public Future<Void> carry(Link link, List<PushLane> wave) {
            long[] knownBefore = wave.stream().mapToLong(lane -> lane.window().known()).toArray();
            return routines.catchUp(link, wave).map(_ -> {
                for (int i = 0; i < knownBefore.length; i++) {
                    onCaughtUp(wave.get(i), knownBefore[i]);
                }
                return null;
            });
        }

        @Override
        public void refuse(PushLane lane, Failure failure) {
            giveUp(lane, failure);
        }
    }
}
