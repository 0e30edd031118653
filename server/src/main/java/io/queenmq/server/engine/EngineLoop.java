package io.queenmq.server.engine;

import io.micrometer.core.instrument.MeterRegistry;
import io.queenmq.engine.Engine;
import io.queenmq.engine.EngineStatus;
import io.queenmq.engine.Rooms;
import io.queenmq.engine.catalog.QueueDirectory;
import io.queenmq.engine.cipher.PayloadCipher;
import io.queenmq.engine.cluster.Transport;
import io.queenmq.engine.command.Command;
import io.queenmq.engine.config.ClusterConfig;
import io.queenmq.engine.config.EngineConfig;
import io.queenmq.engine.connection.Place;
import io.queenmq.engine.connection.ShardConnections;
import io.queenmq.engine.numbers.ServerIdentity;
import io.queenmq.engine.spool.SpoolPlace;
import io.queenmq.engine.spool.SpoolStatus;
import io.queenmq.engine.time.Timers;
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
    private volatile EngineStatus status;

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
        status = rooms.status();
        transport.listen(new HintPost(mailbox, rooms.peers(), transport.traffic()));
        announcements = new Announcements(vertx, database, queue -> mailbox.post(() -> rooms.announced(queue)));
        connections.history().onChange(() -> {
            announcements.renew();
            historyListeners.forEach(Runnable::run);
        });
        watchStatus(timers);
        return rooms.open().onSuccess(_ -> {
            status = rooms.status();
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
    public void submit(Command command) {
        mailbox.post(Mailbox.Task.of(() -> rooms.submit(command), command.reply()));
    }

    @Override
    public QueueDirectory queues() {
        return rooms.queues();
    }

    @Override
    public EngineStatus status() {
        return status;
    }

    @Override
    public SpoolStatus spool() {
        return rooms.spool();
    }

    private void watchStatus(Timers timers) {
        timers.after(100_000_000, () -> {
            status = rooms.status();
            watchStatus(timers);
        });
    }
}
