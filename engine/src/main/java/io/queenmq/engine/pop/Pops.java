package io.queenmq.engine.pop;

import io.queenmq.engine.batch.EngineContext;
import io.queenmq.engine.catalog.Catalog;
import io.queenmq.engine.cluster.Peers;
import io.queenmq.engine.command.PopCommand;
import io.queenmq.engine.command.PopOutcome;
import io.queenmq.engine.command.Subscription;
import io.queenmq.engine.connection.DatabaseHistory;
import io.queenmq.engine.lease.Leases;
import io.queenmq.engine.numbers.Numbers;
import io.queenmq.engine.partition.Arrivals;
import io.queenmq.engine.partition.SegmentReader;
import io.queenmq.engine.pop.Decision.Reason;
import io.queenmq.engine.pop.GroupPartition.State;
import io.queenmq.engine.reply.Failure;
import io.queenmq.engine.time.Timers;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pop module and the owner of every pop. Handles one event after the other, and executes what the {@link PopPlanner} decides
 * for the pops that an event concerns. Owned by the engine loop.
 */
public final class Pops {
    private static final Logger log = LoggerFactory.getLogger(Pops.class);
    private static final long TIDY_EVERY_NS = 60_000_000_000L;

    /** A pop waits this long for its answer while pops are switched off, so that consumers do not poll in a tight loop. */
    private static final long MAINTENANCE_DELAY_NS = 1_000_000_000;

    private static final Failure TOO_MANY = new Failure.Overloaded("too many pops are waiting");

    private final Catalog catalog;
    private final Numbers numbers;
    private final Backlogs backlogs;
    private final Subscriptions subscriptions;
    private final LeaseCalls leaseCalls;
    private final LeaseReleases releases;
    private final Delivery delivery;
    private final BacklogLoader loader;
    private final PendingPoller poller;
    private final WaitingPops waiting;
    private final ReadyPartitions ready;
    private final Invalidation invalidation;
    private final PopEvents events;
    private final PopPlanner planner;
    private final DatabaseHistory history;
    private final Arrivals arrivals;
    private final Timers timers;
    private final PopSizes sizes = new PopSizes();
    private long turns;
    private boolean isDraining;

    /** Resources of the process. The random generator must be unpredictable, because lease ids are made with it. */
    public record Host(Executor loop, RandomGenerator random) {}

    public Pops(EngineContext context, Host host, Catalog catalog, Peers peers, SegmentReader reader, Leases leases,
            Numbers numbers) {
        PopRoutines routines = new PopRoutines(context.apiSchema(), context.config().popBytesMax());
        int shards = context.connections().shards().count();
        this.catalog = catalog;
        this.numbers = numbers;
        this.timers = context.timers();
        this.history = context.connections().history();
        this.planner = new PopPlanner(shards, context.config().popBytesMax());
        this.events = new PopEvents(host.loop, this::handle);
        this.backlogs = new Backlogs(context, catalog, numbers, sizes, peers);
        this.waiting = new WaitingPops(backlogs, events, timers, context.config());
        this.subscriptions = new Subscriptions(context, routines, catalog, waiting);
        this.ready = new ReadyPartitions(backlogs, events, leases, reader.cache(), timers);
        this.arrivals = new ArrivalFanout(ready, peers);
        this.releases = new LeaseReleases(context, routines, backlogs, leases, arrivals);
        this.delivery = new Delivery(context, reader, leases, numbers, releases, events);
        this.leaseCalls = new LeaseCalls(context, routines, new LeaseIds(host.random), releases, events);
        this.loader = new BacklogLoader(context, routines, backlogs, host.random, ready, waiting, events);
        this.poller = new PendingPoller(context, routines, loader, ready);
        this.invalidation = new Invalidation(backlogs, subscriptions, waiting, ready, loader, poller);
        catalog.onChange(invalidation::queueChanged);
        catalog.onRevision(invalidation::revised);
        catalog.onMaintenance(() -> {
            if (catalog.maintenance().isPopOff()) {
                waiting.endAll();
            }
        });
        if (shards > 1) {
            context.connections().onReconnect(invalidation::shardAvailable);
        }
        timers.every(TIDY_EVERY_NS, backlogs::removeUnused);
        timers.every(TIDY_EVERY_NS, () -> leases.removeExpired(timers.nowNs()));
    }

    public void accept(PopCommand command) {
        if (catalog.maintenance().isPopOff()) {
            timers.after(Math.min(command.waitMax().toNanos(), MAINTENANCE_DELAY_NS),
                    () -> command.reply().succeed(new PopOutcome.Empty()));
            return;
        }
        events.add(new Pop(command, turns++, timers.nowNs() + command.waitMax().toNanos()));
    }

    private void handle(PopEvent event) {
        try {
            switch (event) {
                case Pop pop -> run(pop);
                case LeaseRound round -> onLeased(round);
                case GroupPartition partition -> onArrival(partition);
                case Backlog backlog -> onPage(backlog);
            }
        } catch (RuntimeException defect) {
            log.error("pop event failed: {}", event.getClass().getSimpleName(), defect);
            abandon(event, defect);
        }
    }

    /** Answers the request of an event that could not be handled, so that its client does not wait until its timeout. */
    private static void abandon(PopEvent event, RuntimeException defect) {
        Pop pop = switch (event) {
            case Pop one -> one;
            case LeaseRound round -> round.pop();
            case GroupPartition _, Backlog _ -> null;
        };
        if (pop != null && pop.state().isOpen()) {
            pop.command().reply().fail(new Failure.Unavailable("this server failed: " + defect));
        }
    }

    /** Plans a pop and executes the decision. */
    private void run(Pop pop) {
        PopPlanner.View view = view(pop);
        switch (planner.decide(pop, view)) {
            case Decision.Lease(var partitions) -> lease(pop, partitions);
            case Decision.Scan(var backlog) -> scan(pop, backlog);
            case Decision.Wait(var reason) -> await(pop, reason, view.named());
            case Decision.Fetch() -> delivery.deliver(pop);
            case Decision.Empty() -> answerEmpty(pop);
            case Decision.Fail(var failure) -> fail(pop, failure);
        }
        if (view.named() != null) {
            // The named partition may have been added for this plan only.
            backlogs.dropIfIdle(view.named());
        }
    }

    private PopPlanner.View view(Pop pop) {
        PopCommand command = pop.command();
        long nowNs = timers.nowNs();
        boolean isGone = command.isGone().getAsBoolean();
        boolean isOver = isGone || isDraining || pop.deadlineNs() - nowNs <= 0 || catalog.maintenance().isPopOff();
        List<Backlog> where = backlogs.of(command);
        where.forEach(backlog -> backlog.popped(nowNs));
        GroupPartition named = null;
        if (command.source() instanceof PopCommand.Source.Partition(_, var name)) {
            Backlog backlog = where.getFirst();
            named = backlog.isOpen() && pop.rounds() == 0
                    ? backlogs.partition(backlog, name, backlog.existingQueue().partitionId(name))
                    : null;
        } else {
            where.forEach(loader::loadMissing);
        }
        return new PopPlanner.View(where, named, subscriptions.find(command) != null, isGone, isOver, nowNs);
    }

    private void lease(Pop pop, List<GroupPartition> partitions) {
        pop.become(PopState.LEASING);
        pop.beginRound();
        partitions.forEach(partition -> partition.become(State.LEASING));
        Subscription subscription = Objects.requireNonNull(subscriptions.find(pop.command()));
        leaseCalls.lease(pop, partitions, subscription.fromAt());
    }

    private void scan(Pop pop, Backlog backlog) {
        loader.scan(backlog);
        poller.pollLeased(backlog);
        if (backlog.isBeingScanned()) {
            waiting.add(pop, backlog);
        } else {
            pop.skipScan(backlog);
            run(pop);
        }
    }

    /** @param named the partition that the pop names, if it was planned with one */
    private void await(Pop pop, Reason reason, @Nullable GroupPartition named) {
        if (!pop.grants().isEmpty()) {
            releases.releaseAll(pop);
        }
        switch (reason) {
            case SUBSCRIPTION -> {
                waiting.add(pop, SubscriptionKey.of(pop.command()));
                subscriptions.record(pop.command());
            }
            case PARTITION_IN_USE -> waiting.add(pop, Objects.requireNonNull(named));
            case MESSAGE -> {
                if (waiting.hasReady(pop)) {
                    pop.restart();
                    events.add(pop);
                } else {
                    awaitMessage(pop);
                }
            }
            case DATABASE -> awaitMessage(pop);
        }
    }

    private void awaitMessage(Pop pop) {
        if (waiting.isFull()) {
            fail(pop, TOO_MANY);
        } else {
            waiting.addForMessage(pop).forEach(poller::start);
        }
    }

    private void answerEmpty(Pop pop) {
        pop.become(PopState.EMPTY);
        if (pop.command().source() instanceof PopCommand.Source.Filter) {
            numbers.poppedEmpty(null);
        } else {
            Backlog backlog = backlogs.of(pop.command()).getFirst();
            numbers.poppedEmpty(backlog.numbers());
            backlogs.dropIfAbsent(backlog);
        }
        pop.command().reply().succeed(new PopOutcome.Empty());
    }

    private void fail(Pop pop, Failure failure) {
        releases.releaseAll(pop);
        pop.become(PopState.FAILED);
        pop.command().reply().fail(failure);
    }

    /** Applies the results of a lease call to its partitions, then plans the pop again. */
    private void onLeased(LeaseRound round) {
        Pop pop = round.pop();
        boolean isCurrent = round.epoch() == history.epoch();
        if (isCurrent) {
            apply(round);
        } else {
            releases.releaseAll(round);
            pop.reset();
        }
        round.tries().forEach(each -> ready.callEnded(each.partition()));
        pop.become(PopState.RUNNABLE);
        run(pop);
    }

    private void apply(LeaseRound round) {
        Pop pop = round.pop();
        for (LeaseRound.Try each : round.tries()) {
            if (each.status() == LeaseStatus.LEASED) {
                pop.grant(each.grant(), round.epoch());
                if (!pop.command().autoAck()) {
                    each.partition().leased(pop.leaseId());
                }
                each.partition().backlog().numbers().touched(each.partition().id());
            }
            ready.apply(each);
        }
        // Backwards, because partitions that were not needed return to the front of the ready queue.
        for (LeaseRound.Try each : round.tries().reversed()) {
            if (each.status() == LeaseStatus.SPARED) {
                each.partition().backlog().addReady(each.partition(), true);
            }
        }
        if (round.failure() != null) {
            pop.failed(round.shard(), round.failure());
        }
    }

    /** A partition may have messages, or its lease call is complete: waiting pops have their turn. */
    private void onArrival(GroupPartition partition) {
        partition.setEventQueued(false);
        for (Pop pop = next(partition); pop != null; pop = next(partition)) {
            pop.awaitedCall();
            run(pop);
        }
        if (partition.state() == State.READY || partition.state() == State.LEASING) {
            serveWaiting(partition);
        } else {
            backlogs.dropIfIdle(partition);
        }
    }

    /** Returns the next pop that waits for the lease call of the partition; null if there is none, or a call is in flight. */
    private @Nullable Pop next(GroupPartition partition) {
        return partition.state() == State.LEASING ? null : waiting.poll(partition);
    }

    /** As many pops continue as there are ready partitions; first the one that names this partition. */
    private void serveWaiting(GroupPartition partition) {
        Backlog backlog = partition.backlog();
        if (!backlog.isOpen()) {
            return;
        }
        Waiters named = backlog.findWaitersOf(partition.name());
        if (named != null) {
            named.setBackoff(named.backoff().reset());
            Pop pop = partition.state() == State.READY ? waiting.poll(named) : null;
            if (pop != null) {
                run(pop);
            }
        }
        Waiters any = backlog.waiters();
        any.setBackoff(any.backoff().reset());
        while (backlog.hasReady()) {
            Pop pop = waiting.poll(any);
            if (pop == null) {
                return;
            }
            run(pop);
        }
    }

    /** A page of a scan is loaded: pops that wait for the scan may lease the partitions on it. */
    private void onPage(Backlog backlog) {
        while (backlog.hasReady()) {
            Pop pop = waiting.poll(backlog);
            if (pop == null) {
                return;
            }
            run(pop);
        }
    }

    /** Releases a lease whose messages did not reach their consumer. */
    public void release(UUID leaseId, String group, List<UUID> partitionIds) {
        releases.release(leaseId, group, partitionIds);
    }

    /** A lease of this server was renewed. */
    public void renewed(UUID leaseId, int seconds) {
        ready.renewed(leaseId, seconds);
    }

    /** Answers every waiting pop, and lets no pop wait from now on. */
    public void drain() {
        isDraining = true;
        waiting.endAll();
    }

    /** Completes when the leases of undelivered messages are released, or after two seconds. */
    public Future<Void> close() {
        return leaseCalls.close();
    }

    /** Drops all cached state, because the database has another history. */
    public void reset() {
        invalidation.reset();
    }

    /** Returns where pushes and the ends of leases are reported, for this server and its peers. */
    public Arrivals arrivals() {
        return arrivals;
    }

    /** Returns the handler of events that other servers, operators or PostgreSQL report. */
    public RemoteEvents remoteEvents() {
        return new RemoteEvents(backlogs, ready, loader, poller);
    }

    /** Adds the groups whose pops wait, or that popped recently. */
    void addTo(ConsumerReport report) {
        waiting.addTo(report);
        backlogs.all().forEach(report::addRecentPop);
    }

    /** Returns the number of pops that wait for a message. */
    public int waitingCount() {
        return waiting.count();
    }

    /** Returns the number of pops that wait for a message of each queue. */
    public Map<String, Integer> waitingByQueue() {
        return waiting.countByQueue();
    }

    public PopSizes sizes() {
        return sizes;
    }

    /** Returns the number of leases that are still to be released. */
    public int pendingReleases() {
        return releases.count();
    }

    /** Returns the poller, for its counters. */
    public PendingPoller poller() {
        return poller;
    }
}
