package io.queenmq.engine;

import io.micrometer.core.instrument.MeterRegistry;
import io.queenmq.engine.ack.AckSorter;
import io.queenmq.engine.ack.Acks;
import io.queenmq.engine.ack.ErrorTexts;
import io.queenmq.engine.batch.BatchMeters;
import io.queenmq.engine.batch.EngineContext;
import io.queenmq.engine.budget.ByteBudget;
import io.queenmq.engine.catalog.Catalog;
import io.queenmq.engine.catalog.KeylessQueues;
import io.queenmq.engine.catalog.MissingReason;
import io.queenmq.engine.catalog.QueueDirectory;
import io.queenmq.engine.cipher.PayloadCipher;
import io.queenmq.engine.cluster.ClusterReport;
import io.queenmq.engine.cluster.Peers;
import io.queenmq.engine.cluster.Transport;
import io.queenmq.engine.command.AckCommand;
import io.queenmq.engine.command.ArrivalCommand;
import io.queenmq.engine.command.Command;
import io.queenmq.engine.command.ConfigureCommand;
import io.queenmq.engine.command.CycleCommand;
import io.queenmq.engine.command.DeleteQueueCommand;
import io.queenmq.engine.command.DropRefusedCommand;
import io.queenmq.engine.command.ListRefusedCommand;
import io.queenmq.engine.command.PopCommand;
import io.queenmq.engine.command.PushCommand;
import io.queenmq.engine.command.ReadStateCommand;
import io.queenmq.engine.command.RedrivenCommand;
import io.queenmq.engine.command.RefreshCatalogCommand;
import io.queenmq.engine.command.RegisterQueryCommand;
import io.queenmq.engine.command.ReleaseCommand;
import io.queenmq.engine.command.RenewCommand;
import io.queenmq.engine.command.ReportTouchedCommand;
import io.queenmq.engine.command.RestoreRefusedCommand;
import io.queenmq.engine.command.TransactCommand;
import io.queenmq.engine.config.ClusterConfig;
import io.queenmq.engine.config.EngineConfig;
import io.queenmq.engine.connection.DatabaseHistory;
import io.queenmq.engine.connection.ShardConnections;
import io.queenmq.engine.lease.Leases;
import io.queenmq.engine.numbers.Gauges;
import io.queenmq.engine.numbers.Numbers;
import io.queenmq.engine.numbers.Reports;
import io.queenmq.engine.numbers.ServerIdentity;
import io.queenmq.engine.numbers.TouchedPartitionReports;
import io.queenmq.engine.partition.SegmentCache;
import io.queenmq.engine.partition.SegmentReader;
import io.queenmq.engine.pop.AnnouncedQueues;
import io.queenmq.engine.pop.ConsumerHeartbeat;
import io.queenmq.engine.pop.Pops;
import io.queenmq.engine.pop.RemoteEvents;
import io.queenmq.engine.push.PayloadEncryption;
import io.queenmq.engine.push.PushBundles;
import io.queenmq.engine.push.PushPartitions;
import io.queenmq.engine.push.PushStorage;
import io.queenmq.engine.push.PushTurns;
import io.queenmq.engine.push.Pushes;
import io.queenmq.engine.push.StoredSegments;
import io.queenmq.engine.renew.Renewals;
import io.queenmq.engine.reply.Reply;
import io.queenmq.engine.spool.ServerSpool;
import io.queenmq.engine.spool.ShardAvailability;
import io.queenmq.engine.spool.SpoolStatus;
import io.queenmq.engine.stream.Cycles;
import io.queenmq.engine.stream.Queries;
import io.queenmq.engine.stream.StateReads;
import io.queenmq.engine.time.Timers;
import io.queenmq.engine.transact.Transactions;
import io.queenmq.engine.unit.UnitParts;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Creates and connects the modules of the engine. The modules have no locks, threads or sockets, so that the simulation runs
 * them unchanged. Must be called on the engine loop, except for {@link #queues}.
 */
public final class EngineModules implements Engine {
    private final ShardConnections connections;
    private final Numbers numbers = new Numbers();
    private final Catalog catalog;
    private final KeylessQueues keyless;
    private final Pushes pushes;
    private final StoredSegments stored;
    private final Pops pops;
    private final Acks acks;
    private final Transactions transactions;
    private final Queries queries;
    private final StateReads stateReads;
    private final Cycles cycles;
    private final Renewals renewals;
    private final Reports reports;
    private final ConsumerHeartbeat heartbeat;
    private final TouchedPartitionReports touchedPartitions;
    private final Peers peers;
    private final RemoteEvents remoteEvents;
    private final AnnouncedQueues announcedQueues;
    private final ServerSpool spool;

    /**
     * @param host the dependencies that the process provides
     * @param reportEvery the interval at which counts are stored in the database
     */
    public EngineModules(EngineContext context, EngineHost host, ServerIdentity identity, PayloadCipher cipher,
            ClusterConfig cluster, Duration reportEvery, MeterRegistry meters) {
        connections = context.connections();
        Timers timers = context.timers();
        EngineConfig config = context.config();
        catalog = new Catalog(context, cipher.hasKey());
        keyless = new KeylessQueues(catalog, cipher.hasKey());
        SegmentCache cache = new SegmentCache(config.segmentCacheBytes());
        ByteBudget answers = new ByteBudget(config.answerBytesMax());
        SegmentReader reader = new SegmentReader(context, cache, answers, host.loop());
        Leases leases = new Leases();
        peers = new Peers(identity, cluster, host.transport(), timers, host.loop(), meters);
        pops = new Pops(context, new Pops.Host(host.loop(), host.random()), catalog, peers, reader, leases, numbers);
        remoteEvents = pops.remoteEvents();
        announcedQueues = new AnnouncedQueues(timers, queue -> remoteEvents.arrived(queue, null));
        peers.open(new HintHandlers(catalog, remoteEvents));
        catalog.onOwnChange(peers::catalogChanged);
        PushPartitions partitions = new PushPartitions(config, numbers, timers);
        PayloadEncryption encryption = new PayloadEncryption(catalog, cipher);
        stored = new StoredSegments(partitions, cache, pops.arrivals());
        PushStorage storage = PushStorage.of(context, partitions, reader, encryption, stored);
        spool = ServerSpool.open(host.spoolResources(), catalog, cipher, timers, host.loop(),
                new ShardAvailability(connections));
        pushes = new Pushes(catalog, partitions, spool.gateway(), numbers, timers);
        PushTurns turns = new PushTurns(context, catalog, partitions, pushes, spool.gateway(), storage);
        partitions.onFree(turns::start);
        AckSorter sorter = new AckSorter(context, leases, numbers, new ErrorTexts(catalog, cipher.texts()));
        MissingReason missingReason = new MissingReason(catalog);
        acks = new Acks(context, sorter, missingReason, leases, pops.arrivals(), numbers);
        spool.drainInto(pushes);
        PushBundles bundles = new PushBundles(context, catalog, partitions, spool.gateway(), storage, reader);
        UnitParts parts = new UnitParts(catalog, sorter, bundles, storage, leases, pops.arrivals(), numbers);
        transactions = new Transactions(context, parts, missingReason);
        queries = new Queries(context);
        stateReads = new StateReads(context, catalog, cipher);
        cycles = new Cycles(context, parts, queries, cipher, meters);
        renewals = new Renewals(context, leases, missingReason, pops::renewed);
        heartbeat = new ConsumerHeartbeat(context, identity, pops, leases);
        reports = new Reports(context, identity, numbers, gauges(host, leases, context.meters(), cipher), catalog,
                pops::waitingByQueue, reportEvery);
        touchedPartitions = new TouchedPartitionReports(context, numbers);
        connections.history().onChange(() -> dropLoadedState(leases));
        EngineMeters shown = new EngineMeters(meters);
        shown.register(pops);
        shown.register(timers);
        shown.register(bundles);
        shown.register(cache);
        shown.register(leases, partitions);
        shown.register(answers, reader);
        shown.register(connections);
        shown.register(catalog);
        shown.register(cipher);
        spool.register(meters);
    }

    /** Completes when PostgreSQL is connected and the catalog is loaded. */
    public Future<Void> open() {
        Promise<Void> known = Promise.promise();
        return connections.open().compose(_ -> {
            catalog.open(Reply.of(done -> {
                keyless.open();
                known.complete(done);
            }, failure -> known.fail(failure.message())));
            reports.start();
            heartbeat.start();
            touchedPartitions.start();
            return known.future();
        });
    }

    /** Drops all state that was loaded from another history of the database. Pending requests stay in their queues. */
    private void dropLoadedState(Leases leases) {
        catalog.reload();
        leases.clear();
        stored.reset();
        queries.forgetAll();
        pops.reset();
    }

    /** Stores the last counts, and closes the connections. */
    public Future<Void> close() {
        return Future.join(heartbeat.close(), reports.close(), touchedPartitions.close(), pops.close())
                .eventually(connections::close).mapEmpty();
    }

    /** Answers every waiting pop, and each later pop at once, so that the server can stop. */
    public void drain() {
        peers.leave();
        pops.drain();
    }

    /** Returns the listener for hints and membership changes of peers. */
    public Transport.Listener peers() {
        return peers;
    }

    /** Executes a command. Its reply is completed exactly once, now or later. */
    @Override
    public void submit(Command command) {
        switch (command) {
            case PushCommand push -> pushes.accept(push);
            case PopCommand pop -> pops.accept(pop);
            case AckCommand ack -> acks.accept(ack);
            case TransactCommand transact -> transactions.accept(transact);
            case RenewCommand renew -> renewals.accept(renew);
            case RegisterQueryCommand register -> queries.accept(register);
            case ReadStateCommand read -> stateReads.accept(read);
            case CycleCommand cycle -> cycles.accept(cycle);
            case ConfigureCommand configure -> catalog.configure(configure);
            case DeleteQueueCommand delete -> catalog.delete(delete);
            case ReleaseCommand lease -> pops.release(lease.leaseId(), lease.group(), lease.partitionIds());
            case RefreshCatalogCommand refresh -> refreshCatalog(refresh);
            case ArrivalCommand arrival -> signal(arrival.queue(), arrival.partition());
            case RedrivenCommand redriven -> {
                numbers.of(redriven.queue()).redriven(redriven.messages());
                signal(redriven.queue(), redriven.partition());
            }
            case ReportTouchedCommand report -> touchedPartitions.write(report.reply());
            case ListRefusedCommand list -> spool.listRefused(list.filter(), list.max(), list.reply());
            case RestoreRefusedCommand restore -> spool.restoreRefused(restore.filter(), restore.reply());
            case DropRefusedCommand drop -> spool.dropRefused(drop.filter(), drop.reply());
        }
    }

    private void refreshCatalog(RefreshCatalogCommand command) {
        peers.catalogChanged();
        catalog.refresh(command.reply());
    }

    private void signal(String queue, @Nullable String partition) {
        peers.arrived(queue, partition);
        remoteEvents.arrived(queue, partition);
    }

    /**
     * Called when PostgreSQL notifies that messages were pushed to the queue. PostgreSQL notifies every server, so no
     * hint is sent to peers.
     */
    public void announced(String queue) {
        announcedQueues.announced(queue);
    }

    @Override
    public EngineStatus status() {
        DatabaseHistory.Change change = connections.history().lastChange();
        return new EngineStatus(connections.isConnected(), connections.unavailableReason(),
                change == null ? null : new HistoryChange(change.number(), change.what(), change.atMicros()),
                connections.problems(),
                peers.report(new ClusterReport.QueueCache(catalog.all().size(), catalog.hits(), catalog.misses())),
                catalog.maintenance(), keyless.count());
    }

    @Override
    public QueueDirectory queues() {
        return catalog.directory();
    }

    @Override
    public SpoolStatus spool() {
        return spool.status();
    }

    @Override
    public String queueMetrics() {
        return numbers.lifetime().text();
    }

    /** Sets the maximum number of queues with their own series in {@link #queueMetrics}. Must be called before {@link #open}. */
    public void limitSeries(int seriesMax) {
        numbers.lifetime().limit(seriesMax);
    }

    private Gauges gauges(EngineHost host, Leases leases, BatchMeters batchMeters, PayloadCipher cipher) {
        Gauges gauges = new Gauges(host.processUse());
        gauges.add("database.pool_size", connections::size);
        gauges.add("database.pool_active", connections::busyCount);
        gauges.add("database.pool_idle", () -> connections.size() - connections.busyCount());
        gauges.add("calls.waiting", batchMeters::waitingCount);
        gauges.add("pops.waiting", pops::waitingCount);
        gauges.add("leases.count", leases::count);
        gauges.add("leases.partitions", leases::partitionCount);
        // Operators list the spools of all servers.
        gauges.add("spool.state", () -> spool.status().state().ordinal());
        gauges.add("spool.pending", () -> spool.status().pending());
        gauges.add("spool.bytes", () -> spool.status().bytes());
        gauges.add("spool.oldest_seconds", spool::oldestSeconds);
        gauges.add("spool.refused", () -> spool.status().refused());
        // Other servers read this gauge to decide whether a queue may be encrypted.
        gauges.add("encryption.key", () -> cipher.hasKey() ? 1 : 0);
        // Upkeep reads these gauges to decide whether messages may be re-encrypted: 2 for the current key, 1 for old keys.
        cipher.keyIds()
                .forEach(id -> gauges.add("encryption.key." + id, () -> id.equals(cipher.currentKeyId()) ? 2 : 1));
        return gauges;
    }
}
