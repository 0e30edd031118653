package io.queenmq.server.engine;

import io.micrometer.core.instrument.MeterRegistry;
import io.queenmq.engine.Engine;
import io.queenmq.engine.HistoryChange;
import io.queenmq.engine.Rooms;
import io.queenmq.engine.ack.AckCommand;
import io.queenmq.engine.catalog.ConfigureCommand;
import io.queenmq.engine.catalog.DeleteQueueCommand;
import io.queenmq.engine.catalog.Maintenance;
import io.queenmq.engine.catalog.QueueDirectory;
import io.queenmq.engine.cipher.PayloadCipher;
import io.queenmq.engine.cluster.ClusterReport;
import io.queenmq.engine.cluster.Transport;
import io.queenmq.engine.config.ClusterConfig;
import io.queenmq.engine.config.EngineConfig;
import io.queenmq.engine.connection.Place;
import io.queenmq.engine.connection.ShardConnections;
import io.queenmq.engine.numbers.ServerIdentity;
import io.queenmq.engine.pop.PopCommand;
import io.queenmq.engine.push.PushCommand;
import io.queenmq.engine.renew.RenewCommand;
import io.queenmq.engine.reply.Reply;
import io.queenmq.engine.spool.RefusedMessages;
import io.queenmq.engine.spool.SpoolPlace;
import io.queenmq.engine.spool.SpoolStatus;
import io.queenmq.engine.stream.CycleCommand;
import io.queenmq.engine.stream.ReadStateCommand;
import io.queenmq.engine.stream.RegisterQueryCommand;
import io.queenmq.engine.time.Timers;
import io.queenmq.engine.transact.TransactCommand;
import io.queenmq.schema.Schema;
import io.queenmq.schema.Shards;
import io.queenmq.server.config.DatabaseConfig;
import io.queenmq.server.postgres.Announcements;
import io.queenmq.server.postgres.PgSessions;
import io.queenmq.server.postgres.RoutineRepair;
import io.queenmq.server.postgres.ShardMoves;
import io.queenmq.server.postgres.ShardPlaces;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The engine: one event loop that owns the {@link Rooms}, every mutable thing between HTTP and PostgreSQL. Only this
 * thread enters them; all others leave messages for it.
 */
public final class EngineLoop extends VerticleBase implements Engine {
    private final DatabaseConfig database;
    private final Schema.Installed installed;
    private final boolean isDirect;
    private final EngineConfig config;
    private final ClusterConfig cluster;
    private final Transport transport;
    private final PayloadCipher cipher;
    private final ServerIdentity identity;
    private final Duration reportEvery;
    private final SpoolPlace spoolPlace;
    private final MeterRegistry meters;
    private final List<Runnable> historyListeners = new CopyOnWriteArrayList<>();
    private Mailbox mailbox;
    private Rooms rooms;
    private Announcements announcements;
    private volatile boolean isConnected;
    private volatile String complaint;
    private volatile List<String> shardTroubles = List.of();
    private volatile HistoryChange historyChange;
    private volatile ClusterReport report;
    private volatile Maintenance maintenance = Maintenance.NONE;
    private volatile int keylessQueueCount;

    private EngineLoop(DatabaseConfig database, Schema.Installed installed, boolean isDirect, EngineConfig config,
            ClusterConfig cluster,
            Transport transport,
            PayloadCipher cipher, ServerIdentity identity, Duration reportEvery,
            SpoolPlace spoolPlace, MeterRegistry meters) {
        this.database = database;
        this.installed = installed;
        this.isDirect = isDirect;
        this.config = config;
        this.cluster = cluster;
        this.transport = transport;
        this.cipher = cipher;
        this.identity = identity;
        this.reportEvery = reportEvery;
        this.spoolPlace = spoolPlace;
        this.meters = meters;
    }

    /**
     * Completes when the engine is connected and knows the queues there are.
     *
     * @param installed what the database has
     * @param isDirect whether shards on other nodes are connected to there
     * @param reportEvery how often the database is told what was counted
     * @param spoolPlace where pushes are kept while PostgreSQL is away
     */
    public static Future<EngineLoop> start(Vertx vertx, DatabaseConfig database, Schema.Installed installed,
            boolean isDirect, EngineConfig config,
            ClusterConfig cluster, Transport transport, PayloadCipher cipher,
            ServerIdentity identity, Duration reportEvery, SpoolPlace spoolPlace, MeterRegistry meters) {
        EngineLoop engine = new EngineLoop(database, installed, isDirect, config, cluster, transport, cipher, identity,
                reportEvery, spoolPlace, meters);
        return vertx.deployVerticle(engine).map(engine);
    }

    @Override
    public Future<?> start() {
        Thread.currentThread().setName("queen-engine");
        mailbox = new Mailbox(context);
        Timers timers = new Timers(new VertxClock(vertx));
        ShardPlaces places = new ShardPlaces(new Place(database.host(), database.port()), installed.shards());
        ShardConnections connections = connections(places, timers);
        connections.onSchemaMissing(new RoutineRepair(database)::request);
        rooms = new Rooms(installed.api(), connections, timers, new SecureRandom(), cipher, config,
                cluster, identity, reportEvery, spoolPlace, meters, transport, task -> mailbox.post(task::run));
        report = rooms.cluster();
        transport.listen(new HintPost(mailbox, rooms.peers(), transport.traffic()));
        announcements = new Announcements(vertx, database, queue -> mailbox.post(() -> rooms.announced(queue)));
        connections.history().onChange(() -> {
            announcements.renew();
            historyListeners.forEach(Runnable::run);
        });
        watchConnection(timers);
        return rooms.open().onSuccess(_ -> {
            isConnected = true;
            announcements.open();
            if (installed.isOnCitus() && isDirect) {
                new ShardMoves(installed.api(), places, connections, timers).follow();
            }
        });
    }

    private ShardConnections connections(ShardPlaces places, Timers timers) {
        return new ShardConnections(installed.shards(),
                (shard, durability) -> new PgSessions(vertx, database, installed, durability, identity.id(),
                        shard == ShardConnections.CATALOG ? Shards.ALL : Shards.name(shard), () -> places.of(shard)),
                places::of, database.connectTimeout(), database.statementTimeout().plusSeconds(5), timers);
    }

    @Override
    public Future<?> stop() {
        return Future.join(rooms.close(), announcements.close());
    }

    /** The listener is called on the engine loop when the database has another history, and must not block. */
    public void onHistoryChange(Runnable listener) {
        historyListeners.add(listener);
    }

    /** Answers every waiting pop, now and from now on, so that the server can stop without anybody waiting for it. */
    public void drain() {
        mailbox.post(() -> rooms.drain());
    }

    @Override
    public void push(PushCommand command) {
        mailbox.post(Mailbox.Task.of(() -> rooms.push(command), command.reply()));
    }

    @Override
    public void pop(PopCommand command) {
        mailbox.post(Mailbox.Task.of(() -> rooms.pop(command), command.reply()));
    }

    @Override
    public void ack(AckCommand command) {
        mailbox.post(Mailbox.Task.of(() -> rooms.ack(command), command.reply()));
    }

    @Override
    public void transact(TransactCommand command) {
        mailbox.post(Mailbox.Task.of(() -> rooms.transact(command), command.reply()));
    }

    @Override
    public void renew(RenewCommand command) {
        mailbox.post(Mailbox.Task.of(() -> rooms.renew(command), command.reply()));
    }

    @Override
    public void registerQuery(RegisterQueryCommand command) {
        mailbox.post(Mailbox.Task.of(() -> rooms.registerQuery(command), command.reply()));
    }

    @Override
    public void readState(ReadStateCommand command) {
        mailbox.post(Mailbox.Task.of(() -> rooms.readState(command), command.reply()));
    }

    @Override
    public void cycle(CycleCommand command) {
        mailbox.post(Mailbox.Task.of(() -> rooms.cycle(command), command.reply()));
    }

    @Override
    public void configure(ConfigureCommand command) {
        mailbox.post(Mailbox.Task.of(() -> rooms.configure(command), command.reply()));
    }

    @Override
    public void deleteQueue(DeleteQueueCommand command) {
        mailbox.post(Mailbox.Task.of(() -> rooms.deleteQueue(command), command.reply()));
    }

    @Override
    public void release(UUID leaseId, String group, List<UUID> partitionIds) {
        mailbox.post(() -> rooms.release(leaseId, group, partitionIds));
    }

    @Override
    public void lookAgain(Reply<Void> reply) {
        mailbox.post(Mailbox.Task.of(() -> rooms.lookAgain(reply), reply));
    }

    @Override
    public void ring(String queue, String partition) {
        mailbox.post(() -> rooms.ring(queue, partition));
    }

    @Override
    public void redriven(String queue, String partition, int messages) {
        mailbox.post(() -> rooms.redriven(queue, partition, messages));
    }

    @Override
    public void writeTouchedPartitions(Reply<Void> reply) {
        mailbox.post(Mailbox.Task.of(() -> rooms.writeTouchedPartitions(reply), reply));
    }

    @Override
    public QueueDirectory queues() {
        return rooms.queues();
    }

    @Override
    public boolean isDatabaseConnected() {
        return isConnected;
    }

    @Override
    public String databaseComplaint() {
        return complaint;
    }

    @Override
    public HistoryChange historyChange() {
        return historyChange;
    }

    @Override
    public List<String> shardTroubles() {
        return shardTroubles;
    }

    @Override
    public ClusterReport cluster() {
        return report;
    }

    @Override
    public Maintenance maintenance() {
        return maintenance;
    }

    @Override
    public int keylessQueueCount() {
        return keylessQueueCount;
    }

    @Override
    public SpoolStatus spool() {
        return rooms.spool();
    }

    @Override
    public void listRefused(RefusedMessages.Choice choice, int max,
            Reply<List<RefusedMessages.RefusedMessage>> reply) {
        mailbox.post(Mailbox.Task.of(() -> rooms.listRefused(choice, max, reply), reply));
    }

    @Override
    public void putBackRefused(RefusedMessages.Choice choice, Reply<Integer> reply) {
        mailbox.post(Mailbox.Task.of(() -> rooms.putBackRefused(choice, reply), reply));
    }

    @Override
    public void dropRefused(RefusedMessages.Choice choice, Reply<Integer> reply) {
        mailbox.post(Mailbox.Task.of(() -> rooms.dropRefused(choice, reply), reply));
    }

    private void watchConnection(Timers timers) {
        timers.after(100_000_000, () -> {
            isConnected = rooms.isDatabaseConnected();
            complaint = rooms.databaseComplaint();
            shardTroubles = rooms.shardTroubles();
            historyChange = rooms.historyChange();
            report = rooms.cluster();
            maintenance = rooms.maintenance();
            keylessQueueCount = rooms.keylessQueueCount();
            watchConnection(timers);
        });
    }
}
