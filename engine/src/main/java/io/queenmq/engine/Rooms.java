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
import io.queenmq.engine.spool.Reach;
import io.queenmq.engine.spool.SpoolRoom;
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

/**
 * The rooms of the engine, wired together. Plain objects without locks that know neither threads nor sockets, so that a
 * simulation runs them as a server does. Owned by the engine loop, which alone may call them.
 */
public final class Rooms implements Engine {
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
    private final SpoolRoom spool;

    /**
     * @param reportEvery how often counted numbers are stored in the database
     * @param host what the process provides
     */
    public Rooms(EngineContext context, EngineHost host, ServerIdentity identity, PayloadCipher cipher,
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
        peers.open(new HintDoors(catalog, remoteEvents));
        catalog.onOwnChange(peers::catalogChanged);
        PushPartitions partitions = new PushPartitions(config, numbers, timers);
        PayloadEncryption encryption = new PayloadEncryption(catalog, cipher);
        stored = new StoredSegments(partitions, cache, pops.arrivals());
        PushStorage storage = PushStorage.of(context, partitions, reader, encryption, stored);
        spool = SpoolRoom.open(host.spoolPlace(), catalog, cipher, timers, host.loop(), new Reach(connections));
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
        reports = new Reports(context, identity, numbers, gauges(leases, context.meters(), cipher), catalog,
                pops::waitingByQueue, reportEvery);
        touchedPartitions = new TouchedPartitionReports(context, numbers);
        connections.history().onChange(() -> startOver(leases));
        RoomMeters shown = new RoomMeters(meters);
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

    /** Completes when PostgreSQL is connected and the queues there are are known. */
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

    /** The database has another history: everything that was loaded from it is dropped. Requests keep their places. */
    private void startOver(Leases leases) {
        catalog.reload();
        leases.clear();
        stored.reset();
        queries.forgetAll();
        pops.startOver();
    }

    /** Tells the database what is left to count, and ends the sessions. */
    public Future<Void> close() {
        return Future.join(heartbeat.close(), reports.close(), touchedPartitions.close(), pops.close())
                .eventually(connections::close).mapEmpty();
    }

    /** Answers every waiting pop, now and from now on, so that the server can stop without anybody waiting for it. */
    public void drain() {
        peers.leave();
        pops.drain();
    }

    /** Where to tell what comes from other servers. */
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
            case RestoreRefusedCommand restore -> spool.putBackRefused(restore.filter(), restore.reply());
            case DropRefusedCommand drop -> spool.dropRefused(drop.filter(), drop.reply());
        }
    }

    private void refreshCatalog(RefreshCatalogCommand command) {
        peers.catalogChanged();
        catalog.look(command.reply());
    }

    private void signal(String queue, String partition) {
        peers.rung(queue, partition);
        remoteEvents.arrived(queue, partition);
    }

    /** PostgreSQL announces that something was pushed to the queue. It tells every server, so nobody is told by this one. */
    public void announced(String queue) {
        announcedQueues.announced(queue);
    }

    @Override
    public EngineStatus status() {
        DatabaseHistory.Change change = connections.history().lastChange();
        return new EngineStatus(connections.isConnected(), connections.complaint(),
                change == null ? null : new HistoryChange(change.number(), change.what(), change.atMicros()),
                connections.troubles(),
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

    private Gauges gauges(Leases leases, BatchMeters batchMeters, PayloadCipher cipher) {
        Gauges gauges = new Gauges();
        gauges.add("database.pool_size", connections::size);
        gauges.add("database.pool_active", connections::busyCount);
        gauges.add("database.pool_idle", () -> connections.size() - connections.busyCount());
        gauges.add("calls.waiting", batchMeters::waitingCount);
        gauges.add("pops.parked", pops::waitingCount);
        gauges.add("leases.count", leases::count);
        gauges.add("leases.partitions", leases::partitionCount);
        // By which other servers know whether a queue may be encrypted.
        gauges.add("encryption.key", () -> cipher.hasKey() ? 1 : 0);
        // By which upkeep knows whether messages may be encrypted again: 2 for the key that encrypts, 1 for others.
        cipher.keyIds()
                .forEach(id -> gauges.add("encryption.key." + id, () -> id.equals(cipher.currentKeyId()) ? 2 : 1));
        return gauges;
    }
}
