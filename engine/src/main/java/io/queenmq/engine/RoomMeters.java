package io.queenmq.engine;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.queenmq.engine.budget.ByteBudget;
import io.queenmq.engine.catalog.Catalog;
import io.queenmq.engine.cipher.PayloadCipher;
import io.queenmq.engine.connection.DatabaseHistory;
import io.queenmq.engine.connection.ShardConnections;
import io.queenmq.engine.lease.Leases;
import io.queenmq.engine.partition.SegmentCache;
import io.queenmq.engine.partition.SegmentReader;
import io.queenmq.engine.pop.PendingPoller;
import io.queenmq.engine.pop.Pops;
import io.queenmq.engine.push.PushBundles;
import io.queenmq.engine.push.PushPartitions;
import io.queenmq.engine.time.Timers;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** Shows what the rooms of a server hold and do. Used once, when they are built. */
final class RoomMeters {
    private final MeterRegistry registry;

    RoomMeters(MeterRegistry registry) {
        this.registry = registry;
    }

    void register(Pops pops) {
        gauge("queen.pop.parked", "Pops that wait on this server.", pops::waitingCount);
        gauge("queen.pop.waiting.entries", "Entries of waiting pops, one for each queue or partition a pop waits for.",
                pops.sizes()::waitingEntries);
        gauge("queen.pop.waiting.partitions", "Partitions that waiting pops have named, now or a moment ago.",
                pops.sizes()::waitingPartitions);
        gauge("queen.pop.backlogs", "Pairs of queue and group whose ready partitions are in memory.",
                pops.sizes()::backlogs);
        gauge("queen.pop.partitions", "Partitions in memory that are ready, leased or being leased, by group.",
                pops.sizes()::partitions);
        gauge("queen.pop.ready", "Partitions of which this server believes that they have something for somebody.",
                pops.sizes()::readyPartitions);
        gauge("queen.lease.releases.pending", "Leases that no consumer received and that are still to be released.",
                pops::pendingReleases);
        gauge("queen.queue.backoff.groups", "Groups whose waiting pops look by themselves now and then.",
                pops.poller()::count);
        counter("queen.pop.pending.hits", "Looks by waiting pops that found something.", pops.poller(),
                PendingPoller::hits);
        counter("queen.pop.pending.misses", "Looks by waiting pops that found nothing.", pops.poller(),
                PendingPoller::misses);
    }

    void register(SegmentCache cache) {
        gauge("queen.segment.cache.bytes", "Bytes of what was pushed lately that are in memory.", cache::bytes);
        counter("queen.segment.cache.hits", "Reads of segments that were in memory.", cache, SegmentCache::hits);
        counter("queen.segment.cache.misses", "Reads of segments that were not in memory.", cache,
                SegmentCache::misses);
    }

    void register(Timers timers) {
        gauge("queen.timers", "Timers of the engine that are pending.", timers::pending);
    }

    void register(PushBundles bundles) {
        gauge("queen.push.bundles.waiting", "Transactions and cycles that wait for the partitions they push to.",
                bundles::waitingCount);
    }

    void register(Leases leases, PushPartitions partitions) {
        gauge("queen.leases", "Leases that this server gave and that are not over.", leases::count);
        gauge("queen.push.partitions", "Partitions whose transactionIds this server remembers.", partitions::count);
        gauge("queen.push.window.messages", "TransactionIds that this server remembers.", partitions::weight);
    }

    void register(ByteBudget answers, SegmentReader reader) {
        gauge("queen.answers.bytes", "Bytes of messages on their way to consumers.", answers::held);
        gauge("queen.answers.bytes.max", "Bytes of messages that may be on their way to consumers.", answers::max);
        gauge("queen.answers.waiting", "Reads of messages that wait for room.", reader::waiting);
    }

    /** Under two names, because dashboards of Queen know one of them. */
    void register(ShardConnections connections) {
        Supplier<Number> all = connections::size;
        Supplier<Number> busy = connections::busyCount;
        gauge("queen.db.connections", "Connections of this server's engine to PostgreSQL.", all);
        gauge("queen.db.connections.busy", "Those of them that carry a call.", busy);
        gauge("queen.db.waiting.for.standby", "1 while commits wait for a synchronous standby of PostgreSQL.",
                () -> connections.isWaitingForStandby() ? 1 : 0);
        counter("queen.db.history.changes",
                "How often PostgreSQL had another history: it was restarted, failed over or was restored.",
                connections.history(), DatabaseHistory::epoch);
        gauge("queen.db.pool.size", "Connections of this server's engine to PostgreSQL.", all);
        gauge("queen.db.pool.active", "Those of them that carry a call.", busy);
        gauge("queen.db.pool.idle", "Those of them that carry none.",
                () -> all.get().intValue() - busy.get().intValue());
    }

    void register(Catalog catalog) {
        gauge("queen.qc.cache.size", "Queues that this server knows.", () -> catalog.all().size());
        counter("queen.qc.cache.hits", "Queues that were asked for and known.", catalog, Catalog::hits);
        counter("queen.qc.cache.misses", "Queues that were asked for and not known.", catalog, Catalog::misses);
    }

    void register(PayloadCipher cipher) {
        gauge("queen.encryption.key.present", "1 when this server has a key to encrypt payloads with.",
                () -> cipher.hasKey() ? 1 : 0);
    }

    private void gauge(String name, String description, Supplier<Number> value) {
        Gauge.builder(name, value).description(description).register(registry);
    }

    private <T> void counter(String name, String description, T room, ToDoubleFunction<T> value) {
        FunctionCounter.builder(name, room, value).description(description).register(registry);
    }
}
