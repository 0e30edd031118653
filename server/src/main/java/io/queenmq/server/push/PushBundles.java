package io.queenmq.server.push;

import io.queenmq.server.catalog.Catalog;
import io.queenmq.server.catalog.Queue;
import io.queenmq.server.push.Duplicates.Verdict;
import io.queenmq.server.reply.Failure;
import io.queenmq.server.reply.Reply;
import io.queenmq.server.time.Timers;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;

/**
 * Makes bundles ready to be stored by the call of another room: finds their lanes, takes all of them, catches up, and
 * finds out what is stored already. A bundle that was made ready has its lanes until they are freed. Owned by the engine
 * loop.
 */
public final class PushBundles {
    private static final int ATTEMPTS_MAX = 20;
    private static final long RETRY_AFTER_NS = 5_000_000;

    /** What became of it. */
    public enum Finding {
        /** The bundle has its lanes, and what is still undecided can be stored. */
        READY,
        /** A queue was deleted under it; the bundle has no lane, and another one may be made of its messages. */
        GONE,
        /** A lane is locked by somebody's transaction for too long; the bundle has no lane. */
        LOCKED
    }

    private final Catalog catalog;
    private final PushLanes lanes;
    private final Pushes pushes;
    private final Refuge refuge;
    private final Duplicates duplicates;
    private final Timers timers;
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();

    public PushBundles(Catalog catalog, PushLanes lanes, Pushes pushes, Refuge refuge, Duplicates duplicates,
            Timers timers) {
        this.catalog = catalog;
        this.lanes = lanes;
        this.pushes = pushes;
        this.refuge = refuge;
        this.duplicates = duplicates;
        this.timers = timers;
        lanes.onFreeForBundles(this::takeLanes);
    }

    /** A failure means that the bundle has no lane. */
    public void prepare(PushBundle bundle, Reply<Finding> reply) {
        if (bundle.items().stream().anyMatch(item -> refuge.isBehind(item.queue(), item.partition()))) {
            reply.fail(new Failure.Overloaded("earlier messages of a lane are still in the spool"));
        } else {
            findLanes(bundle, 0, reply);
        }
    }

    /** The call could not store it, because a lane has moved on or is locked: the same bundle is made ready once more. */
    public void prepareAgain(PushBundle bundle, Reply<Finding> reply) {
        int attempt = bundle.countAttempt();
        if (attempt > ATTEMPTS_MAX) {
            free(bundle);
            reply.succeed(Finding.LOCKED);
            return;
        }
        timers.after(RETRY_AFTER_NS * attempt, () -> {
            bundle.lanes().forEach(PushLane::doubt);
            catchUp(bundle, new ArrayList<>(bundle.lanes()).iterator(), reply);
        });
    }

    /** Nobody knows whether it was stored: its lanes have to find out before anything else is done with them. */
    public void doubt(PushBundle bundle) {
        bundle.lanes().forEach(PushLane::doubt);
    }

    public void free(PushBundle bundle) {
        bundle.lanes().forEach(lanes::free);
    }

    private void findLanes(PushBundle bundle, int from, Reply<Finding> reply) {
        for (int i = from; i < bundle.items().size(); i++) {
            int position = i;
            PushItem item = bundle.items().get(position);
            Queue queue = catalog.find(item.queue());
            if (queue == null) {
                catalog.require(item.queue(), Reply.of(created -> {
                    bundle.setLane(position, lanes.of(created, item.partition()));
                    findLanes(bundle, position + 1, reply);
                }, reply::fail));
                return;
            }
            bundle.setLane(position, lanes.of(queue, item.partition()));
        }
        waiting.add(new Waiting(bundle, reply));
        bundle.lanes().forEach(lane -> lane.want(1));
        takeLanes();
    }

    /** Whoever can have all its lanes goes; nobody holds some while it waits for others. */
    private void takeLanes() {
        for (Iterator<Waiting> each = waiting.iterator(); each.hasNext();) {
            Waiting next = each.next();
            if (next.bundle.lanes().stream().noneMatch(PushLane::isTaken)) {
                each.remove();
                next.bundle.lanes().forEach(lane -> {
                    lane.want(-1);
                    lane.setTaken(true);
                });
                catchUp(next.bundle, new ArrayList<>(next.bundle.lanes()).iterator(), next.reply);
                takeLanes();
                return;
            }
        }
    }

    private void catchUp(PushBundle bundle, Iterator<PushLane> rest, Reply<Finding> reply) {
        while (rest.hasNext()) {
            PushLane lane = rest.next();
            if (!lane.isCaughtUp()) {
                pushes.catchUps().catchUp(lane, bundle.sinceNs(), Reply.of(finding -> {
                    switch (finding) {
                        case MISSING -> giveUp(bundle, lane, reply);
                        case BUSY -> prepareAgain(bundle, reply);
                        case SAME, MOVED -> catchUp(bundle, rest, reply);
                    }
                }, failure -> fail(bundle, failure, reply)));
                return;
            }
        }
        examine(bundle, 0, reply);
    }

    private void giveUp(PushBundle bundle, PushLane missing, Reply<Finding> reply) {
        catalog.forget(missing.queue());
        free(bundle);
        lanes.remove(missing);
        reply.succeed(Finding.GONE);
    }

    private void examine(PushBundle bundle, int from, Reply<Finding> reply) {
        for (int i = from; i < bundle.items().size(); i++) {
            int position = i;
            PushLane lane = bundle.lane(position);
            if (duplicates.isSuspect(lane, bundle.items().get(position))) {
                duplicates.examine(lane, bundle.items().get(position), bundle.sinceNs(), Reply.of(verdict -> {
                    judge(bundle, position, verdict);
                    examine(bundle, position + 1, reply);
                }, failure -> fail(bundle, failure, reply)));
                return;
            }
        }
        reply.succeed(Finding.READY);
    }

    private static void judge(PushBundle bundle, int position, Verdict verdict) {
        switch (verdict) {
            case Verdict.Unique _ -> {
            }
            case Verdict.Itself _ -> {
                PushLane lane = bundle.lane(position);
                lane.numbers().pushed(lane.id(), 1, false);
                bundle.foundStored(position);
            }
            case Verdict.DuplicateOf(var messageId, _) -> bundle.duplicateOf(position, messageId);
        }
    }

    private void fail(PushBundle bundle, Failure failure, Reply<Finding> reply) {
        free(bundle);
        reply.fail(failure);
    }

    /** A bundle that waits for lanes. */
    private record Waiting(PushBundle bundle, Reply<Finding> reply) {}
}
