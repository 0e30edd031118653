package io.queenmq.server.push;

import io.queenmq.server.catalog.Catalog;
import io.queenmq.server.catalog.Queue;
import io.queenmq.server.config.EngineConfig;
import io.queenmq.server.lane.SegmentReader;
import io.queenmq.server.lane.StoredLine;
import io.queenmq.server.numbers.PushRefusal;
import io.queenmq.server.postgres.ShardLinks;
import io.queenmq.server.push.Duplicates.Verdict;
import io.queenmq.server.reply.Failure;
import io.queenmq.server.reply.Reply;
import io.queenmq.server.time.Timers;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/**
 * Prepares bundles to be stored by the call of another module: finds their partitions, catches up, takes all partitions,
 * and finds out what is stored already. A prepared bundle has its partitions until they are freed.
 *
 * <p>A bundle takes all its partitions or none. While it waits, it reserves them against single pushes and later bundles, so
 * that it is not overtaken for ever. It reserves nothing while one of its partitions cannot be had soon: because another
 * transaction of the database locks it, its shard cannot be reached, or a call takes long. A bundle that has waited for
 * DB_UNAVAILABLE_AFTER_MS fails. Owned by the engine loop.
 */
public final class PushBundles {
    /** A partition that is in use for longer than this is not about to be free. */
    private static final long SLOW_AFTER_NS = 100_000_000;
    private static final long CHECK_EVERY_NS = 50_000_000;

    /** The result of preparing a bundle. */
    public enum Finding {
        /** It has its partitions, and what is undecided can be stored. */
        READY,
        /** A queue was deleted: it has no partition, and its messages may form another bundle. */
        GONE
    }

    private final Catalog catalog;
    private final PushLanes lanes;
    private final Pushes pushes;
    private final Refuge refuge;
    private final Duplicates duplicates;
    private final SegmentReader reader;
    private final ShardLinks links;
    private final Timers timers;
    private final long unavailableAfterNs;
    private final TreeSet<WaitingBundle> waiting = new TreeSet<>();
    private long numbers;
    private boolean isChecking;

    public PushBundles(Catalog catalog, PushLanes lanes, Pushes pushes, Refuge refuge, Duplicates duplicates,
            SegmentReader reader, ShardLinks links, Timers timers, EngineConfig config) {
        this.catalog = catalog;
        this.lanes = lanes;
        this.pushes = pushes;
        this.refuge = refuge;
        this.duplicates = duplicates;
        this.reader = reader;
        this.links = links;
        this.timers = timers;
        this.unavailableAfterNs = config.unavailableAfter().toNanos();
        lanes.onFreeForBundles(this::onFree);
    }

    /** Returns the number of bundles that wait for their partitions. */
    public int waitingCount() {
        return waiting.size();
    }

    /** A failure means that the bundle has no partition. */
    public void prepare(PushBundle bundle, Reply<Finding> reply) {
        if (bundle.items().stream().anyMatch(item -> refuge.isBehind(item.queue(), item.partition()))) {
            reply.fail(new Failure.Overloaded("earlier messages of a lane are still in the spool"));
        } else {
            bundle.setNumber(++numbers);
            findLanes(bundle, 0, reply);
        }
    }

    /**
     * The call stored nothing, because the refused partitions moved on or are locked: the same bundle is prepared once more. It
     * keeps its partitions while it catches up, but not while it waits for a lock.
     */
    public void prepareAgain(PushBundle bundle, Set<UUID> refused, Reply<Finding> reply) {
        bundle.answered();
        List<PushLane> moved = bundle.lanes().stream().filter(lane -> refused.contains(lane.id())).toList();
        moved.forEach(PushLane::doubt);
        if (isOverdue(bundle)) {
            PushLane lane = moved.isEmpty() ? bundle.lane(0) : moved.getFirst();
            fail(bundle, tellNotHad(bundle, lane, "other servers keep changing it or its queue"), reply);
        } else {
            learnAgain(bundle, moved.iterator(), new ArrayList<>(0), reply);
        }
    }

    /** Finds out for each partition whether it moved on. One that did not is locked. */
    private void learnAgain(PushBundle bundle, Iterator<PushLane> rest, List<PushLane> locked, Reply<Finding> reply) {
        if (rest.hasNext()) {
            PushLane lane = rest.next();
            pushes.catchUps().catchUp(lane, bundle.sinceNs(), Reply.of(finding -> {
                switch (finding) {
                    case MISSING -> giveUp(bundle, lane, reply);
                    case MOVED -> learnAgain(bundle, rest, locked, reply);
                    case SAME, BUSY -> {
                        locked.add(lane);
                        learnAgain(bundle, rest, locked, reply);
                    }
                }
            }, failure -> fail(bundle, failure, reply)));
        } else if (locked.isEmpty() && bundle.attempt() == null) {
            examine(bundle, bundle.lanes().iterator(), reply);
        } else {
            locked.forEach(this::backOff);
            WaitingBundle again = enter(bundle, reply);
            free(bundle);
            consider(again);
        }
    }

    /** The outcome of its call is unknown: its partitions must catch up before anything else is done with them. */
    public void doubt(PushBundle bundle) {
        bundle.lanes().forEach(PushLane::doubt);
    }

    /** Frees the partitions of a bundle; has no effect if it has none. */
    public void free(PushBundle bundle) {
        if (bundle.isHolding()) {
            bundle.setHolding(false);
            bundle.lanes().forEach(lanes::freeFromBundle);
        }
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
        consider(enter(bundle, reply));
    }

    private WaitingBundle enter(PushBundle bundle, Reply<Finding> reply) {
        WaitingBundle entered = new WaitingBundle(bundle, reply);
        waiting.add(entered);
        entered.lanes().forEach(lane -> lane.access().add(entered));
        check();
        return entered;
    }

    private void leave(WaitingBundle leaving) {
        leaving.end();
        waiting.remove(leaving);
        leaving.lanes().forEach(lane -> lane.access().remove(leaving));
    }

    /** A partition is free: the bundle that came first has it, if it can have all others, too. */
    private void onFree(PushLane lane) {
        for (WaitingBundle each : lane.access().bundles()) {
            if (lane.isTaken()) {
                return;
            }
            consider(each);
        }
    }

    /** Takes all partitions of the bundle if it can have them. Otherwise decides whether the bundle reserves them. */
    private void consider(WaitingBundle each) {
        if (each.isOver() || each.isCatchingUp()) {
            return;
        }
        for (PushLane lane : each.lanes()) {
            if (canTake(each, lane)) {
                lane.loadWhole();
            }
            if (!lane.isCaughtUp() && canTake(each, lane)) {
                catchUp(each, lane);
                return;
            }
        }
        if (each.needsResolving() && canTake(each, each.attemptedLane())) {
            resolve(each, each.attemptedLane());
        } else if (areReachable(each.bundle())
                && each.lanes().stream().allMatch(lane -> lane.isCaughtUp() && canTake(each, lane))) {
            leave(each);
            each.bundle().setHolding(true);
            each.lanes().forEach(lanes::take);
            examine(each.bundle(), each.lanes().iterator(), each.reply());
        } else if (isWorthReserving(each)) {
            each.setReserving(true);
        } else {
            stopReserving(each);
        }
    }

    private void stopReserving(WaitingBundle each) {
        if (each.isReserving()) {
            each.setReserving(false);
            each.lanes().forEach(lanes::offerToPushes);
        }
    }

    private boolean canTake(WaitingBundle each, PushLane lane) {
        return !lane.isTaken() && !isBackingOff(lane) && links.isWorthAsking(links.shardOf(lane.id()))
                && !lane.access().isReservedBefore(each);
    }

    private boolean isWorthReserving(WaitingBundle each) {
        return areReachable(each.bundle()) && each.lanes().stream().noneMatch(this::isHardToHave);
    }

    /** Returns true if the shards are reachable in which the same call acknowledges messages. */
    private boolean areReachable(PushBundle bundle) {
        return bundle.lanes().isEmpty()
                || bundle.acknowledged().stream().allMatch(id -> links.isWorthAsking(links.shardOf(id)));
    }

    private boolean isHardToHave(PushLane lane) {
        boolean isSlow = lane.isTaken() && timers.nowNs() - lane.access().takenNs() > SLOW_AFTER_NS;
        return isSlow || lane.access().isLocked() || isBackingOff(lane)
                || !links.isWorthAsking(links.shardOf(lane.id()));
    }

    private boolean isBackingOff(PushLane lane) {
        return lane.access().isBackingOff(timers.nowNs());
    }

    /** A partition is locked: no bundle tries it for a while. Single pushes to it find out for themselves. */
    private void backOff(PushLane lane) {
        timers.after(lane.access().backOff(timers.nowNs()), () -> {
            if (!lane.isTaken()) {
                onFree(lane);
            }
        });
    }

    private void takeAlone(WaitingBundle each, PushLane lane) {
        each.setCatchingUp(true);
        lanes.take(lane);
        stopReserving(each);
    }

    /** Frees the partition that was taken alone, and considers the bundle again. */
    private void continueWithout(WaitingBundle each, PushLane lane) {
        lanes.freeFromBundle(lane);
        if (isOverdue(each.bundle())) {
            timeOut(each);
        } else {
            consider(each);
        }
    }

    private void failWith(WaitingBundle each, PushLane lane, Failure failure) {
        leave(each);
        lanes.freeFromBundle(lane);
        each.reply().fail(failure);
    }

    /** Catches up with one partition alone: a bundle must not keep others while it waits for the shard of this one. */
    private void catchUp(WaitingBundle each, PushLane lane) {
        takeAlone(each, lane);
        pushes.catchUps().catchUp(lane, each.bundle().sinceNs(), Reply.of(finding -> {
            each.setCatchingUp(false);
            if (finding == CatchUps.Finding.MISSING) {
                leave(each);
                catalog.forget(lane.queue());
                lanes.remove(lane);
                lanes.freeFromBundle(lane);
                each.reply().succeed(Finding.GONE);
                return;
            }
            if (finding == CatchUps.Finding.BUSY) {
                backOff(lane);
            }
            continueWithout(each, lane);
        }, failure -> failWith(each, lane, failure)));
    }

    /** While bundles wait, what only time changes is checked now and then: slow partitions, and deadlines. */
    private void check() {
        if (isChecking) {
            return;
        }
        isChecking = true;
        timers.after(CHECK_EVERY_NS, () -> {
            isChecking = false;
            for (WaitingBundle each : List.copyOf(waiting)) {
                if (!each.isCatchingUp() && isOverdue(each.bundle())) {
                    timeOut(each);
                } else {
                    consider(each);
                }
            }
            if (!waiting.isEmpty()) {
                check();
            }
        });
    }

    private boolean isOverdue(PushBundle bundle) {
        return timers.nowNs() - bundle.sinceNs() >= unavailableAfterNs;
    }

    private void timeOut(WaitingBundle each) {
        if (each.isOver()) {
            return;
        }
        PushLane lane = each.lanes().stream().filter(this::isHardToHave).findFirst()
                .orElse(each.lanes().iterator().next());
        String why = !areReachable(each.bundle())
                ? "the shard of an acknowledged message cannot be reached"
                : !links.isWorthAsking(links.shardOf(lane.id()))
                        ? "its shard cannot be reached"
                        : lane.access().isLocked() || isBackingOff(lane)
                                ? "it is locked by another transaction of the database"
                                : "earlier calls to it take too long";
        stopReserving(each);
        leave(each);
        each.reply().fail(tellNotHad(each.bundle(), lane, why));
    }

    private static Failure tellNotHad(PushBundle bundle, PushLane lane, String why) {
        String message = "partition \"%s\" of queue \"%s\" could not be written to in time: %s"
                .formatted(lane.name(), lane.queue().name(), why);
        bundle.countRefused(PushRefusal.LOCKED, message, lane::equals);
        return bundle.isInDoubt() ? new Failure.Unavailable(message) : new Failure.Overloaded(message);
    }

    private void giveUp(PushBundle bundle, PushLane missing, Reply<Finding> reply) {
        catalog.forget(missing.queue());
        lanes.remove(missing);
        free(bundle);
        reply.succeed(Finding.GONE);
    }

    /**
     * Finds out whether a call whose outcome is unknown has stored the bundle: by the id of its first message. The bundle keeps
     * only the partition of that message meanwhile, because the shard may be unreachable.
     */
    private void resolve(WaitingBundle each, PushLane lane) {
        PushBundle bundle = each.bundle();
        PushBundle.Attempt attempt = bundle.attempt();
        takeAlone(each, lane);
        reader.read(lane.id(), attempt.base(), bundle.sinceNs(), Reply.of(segment -> {
            each.setCatchingUp(false);
            boolean isFound = segment != null && segment.base() == attempt.base()
                    && StoredLine.messageId(segment.body(), 0).equals(attempt.messageId());
            // While the head is where the call appends, the call may still be carried out. The next call appends at that offset, too.
            if (isFound || lane.window().known() != attempt.base()) {
                bundle.resolved();
            }
            each.setResolved();
            if (isFound) {
                leave(each);
                bundle.foundStored();
                lanes.freeFromBundle(lane);
                each.reply().succeed(Finding.READY);
                return;
            }
            continueWithout(each, lane);
        }, failure -> failWith(each, lane, failure)));
    }

    private void examine(PushBundle bundle, Iterator<PushLane> rest, Reply<Finding> reply) {
        while (rest.hasNext()) {
            PushLane lane = rest.next();
            List<Integer> suspects = bundle.suspects(lane);
            if (!suspects.isEmpty()) {
                duplicates.examine(lane, suspects.stream().map(bundle.items()::get).toList(), bundle.sinceNs(),
                        Reply.of(verdicts -> {
                            for (int i = 0; i < verdicts.size(); i++) {
                                if (verdicts.get(i) instanceof Verdict.DuplicateOf(var messageId)) {
                                    bundle.duplicateOf(suspects.get(i), messageId);
                                }
                            }
                            examine(bundle, rest, reply);
                        }, failure -> fail(bundle, failure, reply)));
                return;
            }
        }
        reply.succeed(Finding.READY);
    }

    private void fail(PushBundle bundle, Failure failure, Reply<Finding> reply) {
        free(bundle);
        reply.fail(failure);
    }
}
