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

/** Registers the meters of the engine's modules. Used once, when the modules are created. */
final class EngineMeters {
    private final MeterRegistry registry;

    EngineMeters(MeterRegistry registry) {
        this.registry = registry;
    }

    void register(Pops pops) {
        gauge("queen.pop.parked", "Pops that wait on this server.", pops::waitingCount);
        gauge("queen.pop.waiting.entries",
                "Entries of waiting pops, one for each queue or partition that a pop waits for.",
                pops.sizes()::waitingEntries);
        gauge("queen.pop.waiting.partitions", "Partitions that waiting pops name, or named recently.",
                pops.sizes()::waitingPartitions);
        gauge("queen.pop.backlogs", "Pairs of queue and group whose ready partitions are in memory.",
                pops.sizes()::backlogs);
        gauge("queen.pop.partitions", "Partitions in memory that are ready, leased or being leased, by group.",
                pops.sizes()::partitions);
        gauge("queen.pop.ready", "Partitions in memory that probably have messages to deliver, by group.",
                pops.sizes()::readyPartitions);
        gauge("queen.lease.releases.pending", "Leases that no consumer received and that are not released yet.",
                pops::pendingReleases);
        gauge("queen.queue.backoff.groups", "Groups whose waiting pops poll the database.", pops.poller()::count);
        counter("queen.pop.pending.hits", "Polls for waiting pops that found messages.", pops.poller(),
                PendingPoller::hits);
        counter("queen.pop.pending.misses", "Polls for waiting pops that found no messages.", pops.poller(),
                PendingPoller::misses);
    }

    void register(SegmentCache cache) {
        gauge("queen.segment.cache.bytes", "Bytes of segments in memory.", cache::bytes);
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
        gauge("queen.leases", "Leases that this server acquired and that have not ended.", leases::count);
        gauge("queen.push.partitions", "Partitions whose transactionIds are in memory.", partitions::count);
        gauge("queen.push.window.messages", "TransactionIds in memory.", partitions::weight);
    }

    void register(ByteBudget answers, SegmentReader reader) {
        gauge("queen.answers.bytes", "Bytes of messages on their way to consumers.", answers::held);
        gauge("queen.answers.bytes.max", "Maximum bytes of messages on their way to consumers.", answers::max);
        gauge("queen.answers.waiting", "Reads of messages that wait until bytes are free.", reader::waiting);
    }

    /** Registers each connection gauge under two names: existing dashboards use queen.db.pool. */
    void register(ShardConnections connections) {
        Supplier<Number> all = connections::size;
        Supplier<Number> busy = connections::busyCount;
        gauge("queen.db.connections", "Connections of the engine to PostgreSQL.", all);
        gauge("queen.db.connections.busy", "Connections with a call in flight.", busy);
        gauge("queen.db.waiting.for.standby", "1 while commits wait for a synchronous standby of PostgreSQL.",
                () -> connections.isWaitingForStandby() ? 1 : 0);
        counter("queen.db.history.changes",
                "Changes of the database history: restarts, failovers and restores of PostgreSQL.",
                connections.history(), DatabaseHistory::epoch);
        gauge("queen.db.pool.size", "Connections of the engine to PostgreSQL.", all);
        gauge("queen.db.pool.active", "Connections with a call in flight.", busy);
        gauge("queen.db.pool.idle", "Connections without a call in flight.",
                () -> all.get().intValue() - busy.get().intValue());
    }

    void register(Catalog catalog) {
        gauge("queen.qc.cache.size", "Queues in the catalog of this server.", () -> catalog.all().size());
        counter("queen.qc.cache.hits", "Lookups of queues that found one.", catalog, Catalog::hits);
        counter("queen.qc.cache.misses", "Lookups of queues that found none.", catalog, Catalog::misses);
    }

    void register(PayloadCipher cipher) {
        gauge("queen.encryption.key.present", "1 if this server has a key to encrypt payloads.",
                () -> cipher.hasKey() ? 1 : 0);
    }

    private void gauge(String name, String description, Supplier<Number> value) {
        Gauge.builder(name, value).description(description).register(registry);
    }

    private <T> void counter(String name, String description, T source, ToDoubleFunction<T> value) {
        FunctionCounter.builder(name, source, value).description(description).register(registry);
    }
}
