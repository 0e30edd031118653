package io.queenmq.engine.push;

import io.queenmq.engine.batch.EngineContext;
import io.queenmq.engine.catalog.Catalog;
import io.queenmq.engine.command.PushItem;
import io.queenmq.engine.numbers.PushRefusal;
import io.queenmq.engine.partition.SegmentReader;
import io.queenmq.engine.partition.StoredLine;
import io.queenmq.engine.push.DuplicateChecker.Verdict;
import io.queenmq.engine.queue.Queue;
import io.queenmq.engine.reply.Failure;
import io.queenmq.engine.reply.Reply;
import io.queenmq.engine.time.Timers;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/**
 * Prepares bundles to be stored by the call of another module: looks up their partitions, catches up, takes all partitions,
 * and checks which messages are stored already. A prepared bundle has its partitions until they are freed.
 *
 * <p>A bundle takes all its partitions or none. While it waits, it reserves them against single pushes and later bundles, so
 * that it is not overtaken indefinitely. It reserves nothing while one of its partitions is not available soon: because another
 * transaction of the database locks it, its shard cannot be reached, or a call takes long. A bundle that has waited for
 * DB_UNAVAILABLE_AFTER_MS fails. Owned by the engine loop.
 */
public final class PushBundles {
    private static final long CHECK_EVERY_NS = 50_000_000;

    /** The result of preparing a bundle. */
    public enum Finding {
        /** The bundle owns its partitions, and all undecided messages can be stored. */
        READY,
        /** A queue was deleted: the bundle owns no partition, and its messages may form another bundle. */
        GONE
    }

    private final Catalog catalog;
    private final PushPartitions partitions;
    private final SpoolGateway spool;
    private final CatchUps catchUps;
    private final DuplicateChecker duplicates;
    private final SegmentReader reader;
    private final PartitionAvailability availability;
    private final Timers timers;
    private final long unavailableAfterNs;
    private final TreeSet<WaitingBundle> waiting = new TreeSet<>();
    private long numbers;
    private boolean isChecking;

    public PushBundles(EngineContext context, Catalog catalog, PushPartitions partitions, SpoolGateway spool,
            PushStorage storage, SegmentReader reader) {
        this.catalog = catalog;
        this.partitions = partitions;
        this.spool = spool;
        this.catchUps = storage.catchUps();
        this.duplicates = storage.duplicates();
        this.reader = reader;
        this.availability = new PartitionAvailability(context.connections(), context.timers());
        this.timers = context.timers();
        this.unavailableAfterNs = context.config().unavailableAfter().toNanos();
        partitions.onFreeForBundles(this::onFree);
    }

    /** Returns the number of bundles that wait for their partitions. */
    public int waitingCount() {
        return waiting.size();
    }

    /** A failure means that the bundle has no partition. */
    public void prepare(PushBundle bundle, Reply<Finding> reply) {
        if (bundle.items().stream().anyMatch(item -> spool.isBehind(item.queue(), item.partition()))) {
            reply.fail(new Failure.Overloaded("earlier messages of a partition are still in the spool"));
        } else {
            bundle.setNumber(++numbers);
            findPartitions(bundle, 0, reply);
        }
    }

    /**
     * The call stored nothing, because the refused partitions have a new head or are locked: the same bundle is prepared once
     * more. It keeps its partitions while it catches up, but not while it waits for a lock or for a shard that cannot be reached.
     */
    public void prepareAgain(PushBundle bundle, Set<UUID> refused, Reply<Finding> reply) {
        bundle.answered();
        List<PushPartition> moved = bundle.partitions().stream().filter(partition -> refused.contains(partition.id()))
                .toList();
        moved.forEach(PushPartition::invalidateHead);
        if (isOverdue(bundle)) {
            PushPartition partition = moved.isEmpty() ? bundle.partition(0) : moved.getFirst();
            fail(bundle, notAcquired(bundle, partition, "other servers change it or its queue too often"), reply);
        } else {
            catchUpAgain(bundle, moved.iterator(), new ArrayList<>(0), reply);
        }
    }

    /** Catches up with each partition. If the head of a partition is unchanged, the partition is locked. */
    private void catchUpAgain(PushBundle bundle, Iterator<PushPartition> rest, List<PushPartition> locked,
            Reply<Finding> reply) {
        if (rest.hasNext()) {
            PushPartition partition = rest.next();
            catchUps.catchUpIfReachable(partition, bundle.sinceNs(), Reply.of(finding -> {
                switch (finding) {
                    case MISSING -> onMissing(bundle, partition, reply);
                    case MOVED -> catchUpAgain(bundle, rest, locked, reply);
                    case SAME, BUSY -> {
                        locked.add(partition);
                        catchUpAgain(bundle, rest, locked, reply);
                    }
                }
            }, failure -> {
                if (failure instanceof Failure.Unavailable) {
                    waitAgain(bundle, locked, reply);
                } else {
                    fail(bundle, failure, reply);
                }
            }));
        } else if (locked.isEmpty() && bundle.attempt() == null) {
            checkDuplicates(bundle, bundle.partitions().iterator(), reply);
        } else {
            waitAgain(bundle, locked, reply);
        }
    }

    /** Frees the partitions of a bundle, which then waits for them again. */
    private void waitAgain(PushBundle bundle, List<PushPartition> locked, Reply<Finding> reply) {
        locked.forEach(this::backOff);
        WaitingBundle again = enter(bundle, reply);
        free(bundle);
        consider(again);
    }

    /** The outcome of its call is unknown: its partitions must catch up before anything else is done with them. */
    public void invalidateHeads(PushBundle bundle) {
        bundle.partitions().forEach(PushPartition::invalidateHead);
    }

    /** Frees the partitions of a bundle; has no effect if it has none. */
    public void free(PushBundle bundle) {
        if (bundle.isHolding()) {
            bundle.setHolding(false);
            bundle.partitions().forEach(partitions::freeFromBundle);
        }
    }

    private void findPartitions(PushBundle bundle, int from, Reply<Finding> reply) {
        for (int i = from; i < bundle.items().size(); i++) {
            int position = i;
            PushItem item = bundle.items().get(position);
            Queue queue = catalog.find(item.queue());
            if (queue == null) {
                catalog.require(item.queue(), Reply.of(created -> {
                    bundle.setPartition(position, partitions.of(created, item.partition()));
                    findPartitions(bundle, position + 1, reply);
                }, reply::fail));
                return;
            }
            bundle.setPartition(position, partitions.of(queue, item.partition()));
        }
        consider(enter(bundle, reply));
    }

    private WaitingBundle enter(PushBundle bundle, Reply<Finding> reply) {
        WaitingBundle entered = new WaitingBundle(bundle, reply);
        waiting.add(entered);
        entered.partitions().forEach(partition -> partition.access().add(entered));
        check();
        return entered;
    }

    private void leave(WaitingBundle leaving) {
        leaving.end();
        waiting.remove(leaving);
        leaving.partitions().forEach(partition -> partition.access().remove(leaving));
    }

    /** A partition is free: the first waiting bundle takes it, if it can take all its other partitions, too. */
    private void onFree(PushPartition partition) {
        for (WaitingBundle each : partition.access().bundles()) {
            if (partition.isTaken()) {
                return;
            }
            consider(each);
        }
    }

    /** Takes all partitions of the bundle if that is possible. Otherwise decides whether the bundle reserves them. */
    private void consider(WaitingBundle each) {
        if (each.isOver() || each.isCatchingUp()) {
            return;
        }
        for (PushPartition partition : each.partitions()) {
            if (canTake(each, partition)) {
                partition.dropPartialWindow();
            }
            if (!partition.isCaughtUp() && canTake(each, partition)) {
                catchUp(each, partition);
                return;
            }
        }
        PushPartition unresolved = each.unresolvedPartition();
        PushBundle.Attempt attempt = each.bundle().attempt();
        if (unresolved != null && attempt != null && canTake(each, unresolved)) {
            resolve(each, unresolved, attempt);
        } else if (availability.areAcksReachable(each.bundle()) && each.partitions().stream()
                .allMatch(partition -> partition.isCaughtUp() && canTake(each, partition))) {
            leave(each);
            each.bundle().setHolding(true);
            each.partitions().forEach(partitions::take);
            checkDuplicates(each.bundle(), each.partitions().iterator(), each.reply());
        } else if (shouldReserve(each)) {
            each.setReserving(true);
        } else {
            stopReserving(each);
        }
    }

    private void stopReserving(WaitingBundle each) {
        if (each.isReserving()) {
            each.setReserving(false);
            each.partitions().forEach(partitions::offerToPushes);
        }
    }

    private boolean canTake(WaitingBundle each, PushPartition partition) {
        return !partition.isTaken() && !availability.isBackingOff(partition) && availability.isReachable(partition)
                && !partition.access().isReservedBefore(each);
    }

    private boolean shouldReserve(WaitingBundle each) {
        return availability.areAcksReachable(each.bundle())
                && each.partitions().stream().noneMatch(availability::isSlowToAcquire);
    }

    /** A partition is locked: no bundle tries it until a delay has passed. Single pushes still try it, with their own delays. */
    private void backOff(PushPartition partition) {
        timers.after(partition.access().backOff(timers.nowNs()), () -> {
            if (!partition.isTaken()) {
                onFree(partition);
            }
        });
    }

    private void takeAlone(WaitingBundle each, PushPartition partition) {
        each.setCatchingUp(true);
        partitions.take(partition);
        stopReserving(each);
    }

    /** Frees the partition that was taken alone, and considers the bundle again. */
    private void continueWithout(WaitingBundle each, PushPartition partition) {
        if (isOverdue(each.bundle())) {
            // First: freeing the partition considers the waiting bundles, and this one must not begin another call.
            timeOut(each);
            partitions.freeFromBundle(partition);
        } else {
            partitions.freeFromBundle(partition);
            consider(each);
        }
    }

    private void failWith(WaitingBundle each, PushPartition partition, Failure failure) {
        leave(each);
        partitions.freeFromBundle(partition);
        each.reply().fail(failure);
    }

    /** Catches up with one partition alone: a bundle must not keep others taken while it waits for the shard of this one. */
    private void catchUp(WaitingBundle each, PushPartition partition) {
        takeAlone(each, partition);
        catchUps.catchUp(partition, each.bundle().sinceNs(), Reply.of(finding -> {
            each.setCatchingUp(false);
            if (finding == CatchUps.Finding.MISSING) {
                leave(each);
                catalog.forget(partition.queue());
                partitions.remove(partition);
                partitions.freeFromBundle(partition);
                each.reply().succeed(Finding.GONE);
                return;
            }
            if (finding == CatchUps.Finding.BUSY) {
                backOff(partition);
            }
            continueWithout(each, partition);
        }, failure -> failWith(each, partition, failure)));
    }

    /** While bundles wait, slow partitions and deadlines are checked periodically. */
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
        PushPartition partition = each.partitions().stream().filter(availability::isSlowToAcquire).findFirst()
                .orElse(each.partitions().iterator().next());
        String why = availability.reason(each.bundle(), partition);
        stopReserving(each);
        leave(each);
        each.reply().fail(notAcquired(each.bundle(), partition, why));
    }

    private static Failure notAcquired(PushBundle bundle, PushPartition partition, String why) {
        String message = "partition \"%s\" of queue \"%s\" could not be written to in time: %s"
                .formatted(partition.name(), partition.queue().name(), why);
        bundle.countRefused(PushRefusal.LOCKED, message, partition::equals);
        return bundle.isInDoubt() ? new Failure.Unavailable(message) : new Failure.Overloaded(message);
    }

    private void onMissing(PushBundle bundle, PushPartition missing, Reply<Finding> reply) {
        catalog.forget(missing.queue());
        partitions.remove(missing);
        free(bundle);
        reply.succeed(Finding.GONE);
    }

    /**
     * Determines by the id of its first message whether a call with an unknown outcome has stored the bundle. The bundle keeps
     * only the partition of that message meanwhile, because the shard may be unreachable.
     */
    private void resolve(WaitingBundle each, PushPartition partition, PushBundle.Attempt attempt) {
        PushBundle bundle = each.bundle();
        takeAlone(each, partition);
        reader.read(partition.id(), attempt.base(), bundle.sinceNs(), Reply.of(segment -> {
            each.setCatchingUp(false);
            boolean isFound = segment != null && segment.base() == attempt.base()
                    && StoredLine.messageId(segment.body(), 0).equals(attempt.messageId());
            // While the head is at the offset of the call, the call may still be executed. The next call appends there, too.
            if (isFound || partition.window().known() != attempt.base()) {
                bundle.resolved();
            }
            each.setResolved();
            if (isFound) {
                leave(each);
                bundle.foundStored();
                partitions.freeFromBundle(partition);
                each.reply().succeed(Finding.READY);
                return;
            }
            continueWithout(each, partition);
        }, failure -> failWith(each, partition, failure)));
    }

    private void checkDuplicates(PushBundle bundle, Iterator<PushPartition> rest, Reply<Finding> reply) {
        while (rest.hasNext()) {
            PushPartition partition = rest.next();
            List<Integer> suspects = bundle.suspects(partition);
            if (!suspects.isEmpty()) {
                duplicates.check(partition, suspects.stream().map(bundle.items()::get).toList(), bundle.sinceNs(),
                        Reply.of(verdicts -> {
                            for (int i = 0; i < verdicts.size(); i++) {
                                if (verdicts.get(i) instanceof Verdict.DuplicateOf(var messageId)) {
                                    bundle.duplicateOf(suspects.get(i), messageId);
                                }
                            }
                            checkDuplicates(bundle, rest, reply);
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
