package io.queenmq.server.engine;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.queenmq.server.ack.AckCommand;
import io.queenmq.server.ack.AckSorter;
import io.queenmq.server.ack.Acks;
import io.queenmq.server.budget.ByteBudget;
import io.queenmq.server.catalog.Catalog;
import io.queenmq.server.catalog.ConfigureCommand;
import io.queenmq.server.catalog.DeleteQueueCommand;
import io.queenmq.server.cipher.PayloadCipher;
import io.queenmq.server.config.DatabaseConfig;
import io.queenmq.server.config.EngineConfig;
import io.queenmq.server.lane.SegmentCache;
import io.queenmq.server.lane.SegmentReader;
import io.queenmq.server.lease.Leases;
import io.queenmq.server.numbers.Gauges;
import io.queenmq.server.numbers.Numbers;
import io.queenmq.server.numbers.Reports;
import io.queenmq.server.numbers.ServerIdentity;
import io.queenmq.server.pop.PopCommand;
import io.queenmq.server.pop.Pops;
import io.queenmq.server.postgres.Announcements;
import io.queenmq.server.postgres.Links;
import io.queenmq.server.push.Duplicates;
import io.queenmq.server.push.PushCommand;
import io.queenmq.server.push.PushLanes;
import io.queenmq.server.push.Pushes;
import io.queenmq.server.push.Sealing;
import io.queenmq.server.renew.RenewCommand;
import io.queenmq.server.renew.Renewals;
import io.queenmq.server.reply.Reply;
import io.queenmq.server.time.Timers;
import io.queenmq.server.transact.TransactCommand;
import io.queenmq.server.transact.Transactions;
import io.queenmq.server.wave.WaveMeters;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/**
 * The engine: one event loop that owns every mutable thing between HTTP and PostgreSQL. Its rooms are plain objects
 * without locks, and only this thread enters them.
 */
public final class EngineLoop extends VerticleBase implements Engine {
    /** Enough for every operation to have its calls in flight. */
    private static final int FLUSHED_LINKS = 6;
    private static final int RELAXED_LINKS = 6;

    private final DatabaseConfig database;
    private final EngineConfig config;
    private final String apiSchema;
    private final PayloadCipher cipher;
    private final ServerIdentity identity;
    private final Duration reportEvery;
    private final MeterRegistry meters;
    private Mailbox mailbox;
    private Links flushed;
    private Links relaxed;
    private Catalog catalog;
    private Pushes pushes;
    private Pops pops;
    private Acks acks;
    private Transactions transactions;
    private Renewals renewals;
    private Reports reports;
    private Announcements announcements;
    private volatile boolean isConnected;

    private EngineLoop(DatabaseConfig database, EngineConfig config, String apiSchema, PayloadCipher cipher,
            ServerIdentity identity, Duration reportEvery, MeterRegistry meters) {
        this.database = database;
        this.config = config;
        this.apiSchema = apiSchema;
        this.cipher = cipher;
        this.identity = identity;
        this.reportEvery = reportEvery;
        this.meters = meters;
    }

    /**
     * Completes when the engine is connected and knows the queues there are.
     *
     * @param reportEvery how often the database is told what was counted
     */
    public static Future<EngineLoop> start(Vertx vertx, DatabaseConfig database, EngineConfig config, String apiSchema,
            PayloadCipher cipher, ServerIdentity identity, Duration reportEvery, MeterRegistry meters) {
        EngineLoop engine = new EngineLoop(database, config, apiSchema, cipher, identity, reportEvery, meters);
        return vertx.deployVerticle(engine).map(engine);
    }

    @Override
    public Future<?> start() {
        Thread.currentThread().setName("queen-engine");
        mailbox = new Mailbox(context);
        Timers timers = new Timers(vertx);
        WaveMeters waveMeters = new WaveMeters(meters);
        flushed = new Links(vertx, database, Links.Durability.FLUSHED, FLUSHED_LINKS, timers);
        relaxed = new Links(vertx, database, Links.Durability.RELAXED, RELAXED_LINKS, timers);

        catalog = new Catalog(apiSchema, flushed, timers, config, waveMeters);
        SegmentCache cache = new SegmentCache(config.segmentCacheBytes());
        ByteBudget answers = new ByteBudget(config.answerBytesMax());
        SegmentReader reader = new SegmentReader(apiSchema, cache, answers, mailbox::post, relaxed, timers, config,
                waveMeters);
        Leases leases = new Leases();
        Numbers numbers = new Numbers();
        pops = new Pops(apiSchema, catalog, reader, leases, numbers, flushed, relaxed, timers, config, waveMeters);
        PushLanes lanes = new PushLanes(config, numbers);
        Duplicates duplicates = new Duplicates(reader);
        Sealing sealing = new Sealing(catalog, cipher);
        pushes = new Pushes(apiSchema, catalog, lanes, duplicates, sealing, cache, pops.arrivals(), numbers, flushed,
                timers, config, waveMeters);
        AckSorter sorter = new AckSorter(apiSchema, leases, numbers, relaxed, timers, config, waveMeters);
        acks = new Acks(apiSchema, sorter, leases, pops.arrivals(), numbers, flushed, timers, config, waveMeters);
        transactions = new Transactions(apiSchema, catalog, sorter, lanes, pushes, duplicates, sealing, leases,
                pops.arrivals(), numbers, flushed, timers, config, waveMeters);
        renewals = new Renewals(apiSchema, pops::renewed, relaxed, timers, config, waveMeters);
        reports = new Reports(apiSchema, identity, numbers, gauges(leases, waveMeters), catalog, pops::parkedByQueue,
                relaxed, timers, config, waveMeters, reportEvery);
        announcements = new Announcements(vertx, database, queue -> ring(queue, null));
        registerGauges(cache, leases, lanes);
        registerGauges(answers, reader);
        watchConnection(timers);

        Promise<Void> known = Promise.promise();
        return Future.all(flushed.open(), relaxed.open()).compose(_ -> {
            isConnected = true;
            announcements.open();
            catalog.open(Reply.of(known::complete, failure -> known.fail(failure.message())));
            reports.start();
            return known.future();
        });
    }

    @Override
    public Future<?> stop() {
        return reports.close()
                .eventually(() -> Future.join(flushed.close(), relaxed.close(), announcements.close()));
    }

    /** Answers every waiting pop, now and from now on, so that the server can stop without anybody waiting for it. */
    public void drain() {
        mailbox.post(() -> pops.drain());
    }

    @Override
    public void push(PushCommand command) {
        mailbox.post(() -> pushes.accept(command));
    }

    @Override
    public void pop(PopCommand command) {
        mailbox.post(() -> pops.accept(command));
    }

    @Override
    public void ack(AckCommand command) {
        mailbox.post(() -> acks.accept(command));
    }

    @Override
    public void transact(TransactCommand command) {
        mailbox.post(() -> transactions.accept(command));
    }

    @Override
    public void renew(RenewCommand command) {
        mailbox.post(() -> renewals.accept(command));
    }

    @Override
    public void configure(ConfigureCommand command) {
        mailbox.post(() -> catalog.configure(command));
    }

    @Override
    public void deleteQueue(DeleteQueueCommand command) {
        mailbox.post(() -> catalog.delete(command));
    }

    @Override
    public void release(UUID leaseId, String group, List<UUID> partitionIds) {
        mailbox.post(() -> pops.release(leaseId, group, partitionIds));
    }

    @Override
    public void lookAgain(Reply<Void> reply) {
        mailbox.post(() -> catalog.look(reply));
    }

    @Override
    public void ring(String queue, String partition) {
        mailbox.post(() -> pops.lookAgain(queue, partition));
    }

    @Override
    public boolean isDatabaseConnected() {
        return isConnected;
    }

    private void watchConnection(Timers timers) {
        timers.after(100_000_000, () -> {
            isConnected = flushed.isConnected() && relaxed.isConnected();
            watchConnection(timers);
        });
    }

    private Gauges gauges(Leases leases, WaveMeters waveMeters) {
        Gauges gauges = new Gauges();
        gauges.add("database.pool_size", () -> flushed.size() + relaxed.size());
        gauges.add("database.pool_active", () -> flushed.busyCount() + relaxed.busyCount());
        gauges.add("database.pool_idle", this::idleCount);
        gauges.add("calls.waiting", waveMeters::waitingCount);
        gauges.add("pops.parked", pops::parkedCount);
        gauges.add("leases.count", leases::count);
        gauges.add("leases.lanes", leases::laneCount);
        return gauges;
    }

    private int idleCount() {
        return flushed.size() + relaxed.size() - flushed.busyCount() - relaxed.busyCount();
    }

    private void registerGauges(ByteBudget answers, SegmentReader reader) {
        Gauge.builder("queen.answers.bytes", answers::held).register(meters);
        Gauge.builder("queen.answers.bytes.max", answers::max).register(meters);
        Gauge.builder("queen.answers.waiting", reader::waiting).register(meters);
    }

    private void registerGauges(SegmentCache cache, Leases leases, PushLanes lanes) {
        Gauge.builder("queen.pop.parked", pops::parkedCount).register(meters);
        Gauge.builder("queen.pop.ready", pops::readyCount).register(meters);
        Gauge.builder("queen.pop.pending.hits", pops::pendingHits).register(meters);
        Gauge.builder("queen.pop.pending.misses", pops::pendingMisses).register(meters);
        Gauge.builder("queen.segment.cache.bytes", cache::bytes).register(meters);
        Gauge.builder("queen.segment.cache.hits", cache::hits).register(meters);
        Gauge.builder("queen.segment.cache.misses", cache::misses).register(meters);
        Gauge.builder("queen.leases", leases::count).register(meters);
        Gauge.builder("queen.push.lanes", lanes::count).register(meters);
        Gauge.builder("queen.push.window.messages", lanes::weight).register(meters);
        Gauge.builder("queen.db.connections.busy", () -> flushed.busyCount() + relaxed.busyCount()).register(meters);
        Gauge.builder("queen.db.pool.size", () -> flushed.size() + relaxed.size()).register(meters);
        Gauge.builder("queen.db.pool.active", () -> flushed.busyCount() + relaxed.busyCount()).register(meters);
        Gauge.builder("queen.db.pool.idle", this::idleCount).register(meters);
        Gauge.builder("queen.queue.backoff.groups", pops::watchedCount).register(meters);
        Gauge.builder("queen.db.connections", () -> flushed.size() + relaxed.size()).register(meters);
    }
}
