package io.queenmq.engine.pop;

import io.queenmq.engine.batch.EngineContext;
import io.queenmq.engine.catalog.Catalog;
import io.queenmq.engine.command.PopCommand;
import io.queenmq.engine.command.PopOutcome;
import io.queenmq.engine.command.Subscription;
import io.queenmq.engine.connection.DatabaseHistory;
import io.queenmq.engine.lease.Leases;
import io.queenmq.engine.numbers.Numbers;
import io.queenmq.engine.partition.Arrivals;
import io.queenmq.engine.partition.SegmentReader;
import io.queenmq.engine.pop.GroupPartition.Belief;
import io.queenmq.engine.reply.Failure;
import io.queenmq.engine.reply.Reply;
import io.queenmq.engine.time.Timers;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * The pop room: moves pops through the states of {@link PopState}. Where to look is answered from memory (the backlogs);
 * who gets what is always for the database to say. Owned by the engine loop.
 */
public final class Pops implements Readiness.Runner {
    private static final long TIDY_EVERY_NS = 60_000_000_000L;

    /** How long a waiting pop is kept while nothing is handed out, so that consumers do not ask again and again. */
    private static final long MAINTENANCE_HOLD_NS = 1_000_000_000;

    private final Catalog catalog;
    private final Backlogs backlogs;
    private final Subscriptions subscriptions;
    private final LeaseDesk desk;
    private final LeaseReleases releases;
    private final Delivery delivery;
    private final Sweeps sweeps;
    private final Watch watch;
    private final Parking parking;
    private final Readiness readiness;
    private final Invalidation invalidation;
    private final DatabaseHistory history;
    private final Arrivals arrivals;
    private final Timers timers;
    private final long popBytesMax;
    private final int shards;
    private final PopSizes sizes = new PopSizes();
    private long turns;
    private boolean isDraining;

    public Pops(EngineContext context, Catalog catalog, SegmentReader reader, Leases leases, Numbers numbers,
            RandomGenerator random, Elsewhere elsewhere) {
        PopRoutines routines = new PopRoutines(context.apiSchema(), context.config().popBytesMax());
        this.popBytesMax = context.config().popBytesMax();
        this.shards = context.connections().shards().count();
        this.history = context.connections().history();
        this.catalog = catalog;
        this.timers = context.timers();
        this.backlogs = new Backlogs(context, catalog, numbers, sizes, elsewhere::interestsChanged);
        this.subscriptions = new Subscriptions(context, routines, catalog);
        this.delivery = new Delivery(reader, leases, numbers, history, context.timers(), this::onNothingKept,
                this::startOver,
                this::onRefused);
        this.parking = new Parking(backlogs, numbers, context.timers(), context.config());
        this.readiness = new Readiness(backlogs, parking, leases, reader.cache(), context.timers(), this);
        this.arrivals = new Bells(readiness, elsewhere);
        this.releases = new LeaseReleases(context, routines, backlogs, leases, arrivals);
        this.desk = new LeaseDesk(context, routines, new LeaseIds(random), releases, this::onLeased);
        this.sweeps = new Sweeps(context, routines, backlogs, random, readiness);
        this.watch = new Watch(context, routines, sweeps, readiness);
        this.invalidation = new Invalidation(backlogs, subscriptions, readiness, sweeps, watch);
        catalog.onChange(invalidation::queueChanged);
        catalog.onMaintenance(() -> {
            if (catalog.maintenance().isPopOff()) {
                parking.answerAll();
            }
        });
        catalog.onRevision(invalidation::revised);
        if (shards > 1) {
            context.connections().onBack(invalidation::shardBack);
        }
        context.timers().every(TIDY_EVERY_NS, backlogs::forgetUnused);
        context.timers().every(TIDY_EVERY_NS, () -> leases.forgetOverdue(context.timers().nowNs()));
    }

    public void accept(PopCommand command) {
        if (catalog.maintenance().isPopOff()) {
            timers.after(Math.min(command.waitMax().toNanos(), MAINTENANCE_HOLD_NS),
                    () -> command.reply().succeed(new PopOutcome.Empty()));
            return;
        }
        Pop pop = new Pop(command, turns++, timers.nowNs() + command.waitMax().toNanos());
        if (subscriptions.find(command) != null) {
            start(pop);
        } else {
            subscriptions.require(command, Reply.of(_ -> start(pop), failure -> onRefused(pop, failure)));
        }
    }

    public LeaseReleases releases() {
        return releases;
    }

    /** Answers everybody who waits, and lets nobody wait any more. */
    public void drain() {
        isDraining = true;
        parking.answerAll();
    }

    /** The bell to ring when something happens in a partition; it is heard by other servers, too. */
    public Arrivals arrivals() {
        return arrivals;
    }

    /** What this server did not see itself. */
    public Hearsay hearsay() {
        return new Hearsay(backlogs, readiness, sweeps, watch);
    }

    /** A lease of this server lasts longer. */
    public void renewed(UUID leaseId, int seconds) {
        readiness.renewed(leaseId, seconds);
    }

    public int parkedCount() {
        return parking.count();
    }

    /** How many pops wait for each queue. */
    public Map<String, Integer> parkedByQueue() {
        return parking.countByQueue();
    }

    /** Counts those who wait, and those who popped a moment ago. */
    public void attend(Attendance attendance) {
        parking.attend(attendance);
        backlogs.all().forEach(attendance::popped);
    }

    public PopSizes sizes() {
        return sizes;
    }

    /** How many groups of waiting pops look by themselves now and then. */
    public int watchedCount() {
        return watch.count();
    }

    public long pendingHits() {
        return watch.hits();
    }

    public long pendingMisses() {
        return watch.misses();
    }

    @Override
    public void start(Pop pop) {
        if (pop.command().isGone().getAsBoolean()) {
            pop.become(PopState.EMPTY);
            parking.answerEmpty(pop);
        } else if (pop.command().source() instanceof PopCommand.Source.Partition(_, var partition)) {
            startNamed(pop, partition);
        } else {
            pop.become(PopState.RESOLVING);
            resolve(pop);
        }
    }

    private void startNamed(Pop pop, String name) {
        Backlog backlog = backlogs.of(pop.command()).getFirst();
        backlog.popped(timers.nowNs());
        GroupPartition partition = backlog.isOpen()
                ? backlogs.partition(backlog, name, backlog.queue().partitionId(name))
                : null;
        if (partition == null) {
            empty(pop);
        } else if (partition.belief() == Belief.LEASING) {
            // Never two requests on one partition and group: this one has its turn when the other has its answer.
            partition.waiting().add(pop);
        } else {
            lease(pop, List.of(partition));
        }
    }

    @Override
    public void resolve(Pop pop) {
        List<Backlog> where = backlogs.of(pop.command());
        for (Backlog backlog : where) {
            backlog.popped(timers.nowNs());
            sweeps.refresh(backlog);
        }
        List<GroupPartition> candidates = Candidates.of(pop, where);
        if (!candidates.isEmpty()) {
            lease(pop, candidates);
        } else if (!pop.grants().isEmpty()) {
            fetch(pop);
        } else if (pop.refusal() != null) {
            onRefused(pop, pop.refusal());
        } else if (!isWorthALook(pop, where)) {
            empty(pop);
        }
    }

    /**
     * Memory knows of nothing, but other servers may: before a pop counts as empty, every queue it asks for was looked at
     * once since it came, unless that is in vain and the pop may wait. True when the pop waits for such a look.
     */
    private boolean isWorthALook(Pop pop, List<Backlog> where) {
        if (pop.hasWaited()) {
            return false;
        }
        for (Backlog backlog : where) {
            if (backlog.isOpen() && !pop.hasSeen(backlog) && (isOver(pop) || !sweeps.isInVain(backlog))) {
                sweeps.lookAfresh(backlog);
                watch.lookAtHeld(backlog);
                if (backlog.isBeingLookedAt()) {
                    backlog.waitingForSweep().add(pop);
                    return true;
                }
            }
        }
        return false;
    }

    private void lease(Pop pop, List<GroupPartition> partitions) {
        pop.become(PopState.LEASING);
        pop.beginRound();
        for (GroupPartition partition : partitions) {
            partition.believe(Belief.LEASING);
        }
        Subscription subscription = subscriptions.find(pop.command());
        if (subscription != null) {
            desk.lease(pop, partitions, subscription.fromAt());
        } else {
            // Forgotten while the pop was on its way, because an operator changed it.
            subscriptions.require(pop.command(), Reply.of(found -> desk.lease(pop, partitions, found.fromAt()),
                    failure -> desk.refuse(pop, partitions, failure)));
        }
    }

    private void onLeased(LeaseRound round) {
        Pop pop = round.pop();
        List<LeaseRound.Try> tries = round.tries();
        if (round.epoch() != history.epoch()) {
            // After a mere restart of PostgreSQL the leases are still there, and nothing else would end them.
            if (!pop.command().autoAck()) {
                releases.release(round.leaseId(), pop.command().group(), tries.stream()
                        .filter(each -> each.status() == LeaseStatus.LEASED).map(each -> each.partition().id())
                        .toList());
            }
            startOver(pop);
            tries.forEach(each -> readiness.nextInLine(each.partition()));
            return;
        }
        for (LeaseRound.Try each : tries) {
            if (each.status() == LeaseStatus.LEASED) {
                pop.grant(each.grant(), round.epoch());
                if (!pop.command().autoAck()) {
                    each.partition().leased(pop.leaseId());
                }
                each.partition().backlog().numbers().touched(each.partition().id());
            }
            readiness.learn(each);
        }
        // Backwards, because partitions that were not needed go back to the front of their line.
        for (LeaseRound.Try each : tries.reversed()) {
            if (each.status() == LeaseStatus.SPARED) {
                each.partition().backlog().addReady(each.partition(), true);
            }
        }
        if (round.failure() != null) {
            onRoundRefused(round);
        } else {
            goOn(pop);
        }
        for (LeaseRound.Try each : tries) {
            readiness.nextInLine(each.partition());
        }
    }

    /** A shard does not answer: a pop that was given nothing yet goes on with others, once, so that it does not wait for all. */
    private void onRoundRefused(LeaseRound round) {
        Pop pop = round.pop();
        if (shards > 1 && !pop.isNamed() && pop.grants().isEmpty() && pop.refusal() == null
                && round.failure() instanceof Failure.Unavailable) {
            pop.passOver(round.shard(), round.failure());
            pop.become(PopState.RESOLVING);
            resolve(pop);
        } else {
            onRefused(pop, round.failure());
        }
    }

    private void goOn(Pop pop) {
        if (!pop.isSatisfied(popBytesMax) && !pop.isNamed() && pop.hasRoundsLeft(shards)) {
            pop.become(PopState.RESOLVING);
            resolve(pop);
        } else if (pop.grants().isEmpty()) {
            empty(pop);
        } else {
            fetch(pop);
        }
    }

    private void fetch(Pop pop) {
        pop.become(PopState.FETCHING);
        delivery.deliver(pop);
    }

    /** Everything the pop was given has been deleted meanwhile. */
    private void onNothingKept(Pop pop) {
        giveBack(pop);
        empty(pop);
    }

    @Override
    public void empty(Pop pop) {
        pop.become(PopState.EMPTY);
        if (isOver(pop)) {
            parking.answerEmpty(pop);
        } else if (parking.hasWork(pop)) {
            pop.become(PopState.PENDING);
            start(pop);
        } else {
            park(pop);
        }
    }

    private boolean isOver(Pop pop) {
        return pop.deadlineNs() - timers.nowNs() <= 0 || isDraining || catalog.maintenance().isPopOff()
                || pop.command().isGone().getAsBoolean();
    }

    private void park(Pop pop) {
        if (parking.park(pop, pop.deadlineNs() - timers.nowNs())) {
            for (Backlog backlog : backlogs.of(pop.command())) {
                watch.over(pop.command().source() instanceof PopCommand.Source.Partition(_, var partition)
                        ? backlog.waitersOf(partition)
                        : backlog.waiters());
            }
        }
    }

    /** The database has another history: what the pop was given may not be there, and it looks again from the beginning. */
    private void startOver(Pop pop) {
        giveBack(pop);
        pop.startOver();
        start(pop);
    }

    /** Drops everything that is known of subscriptions and partitions of an earlier history of the database. */
    public void startOver() {
        invalidation.startOver();
    }

    /** A pop that cannot be carried gives back what it was given; while PostgreSQL is away, one that may wait does. */
    private void onRefused(Pop pop, Failure failure) {
        giveBack(pop);
        if (failure instanceof Failure.Unavailable && !isOver(pop)) {
            pop.become(PopState.EMPTY);
            park(pop);
        } else {
            pop.become(PopState.FAILED);
            pop.command().reply().fail(failure);
        }
    }

    private void giveBack(Pop pop) {
        if (!pop.command().autoAck()) {
            pop.grants().forEach(grant -> grant.partition().delivered(pop.leaseId()));
            releases.release(pop.leaseId(), pop.command().group(),
                    pop.grants().stream().map(grant -> grant.partition().id()).toList());
        }
        pop.grants().clear();
    }
}
