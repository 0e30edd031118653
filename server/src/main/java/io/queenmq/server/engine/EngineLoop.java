package io.queenmq.server.engine;

import io.micrometer.core.instrument.MeterRegistry;
import io.queenmq.engine.Engine;
import io.queenmq.engine.EngineHost;
import io.queenmq.engine.EngineStatus;
import io.queenmq.engine.Rooms;
import io.queenmq.engine.batch.BatchMeters;
import io.queenmq.engine.batch.EngineContext;
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
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The engine: one event loop that owns the {@link Rooms}, every mutable thing between HTTP and PostgreSQL. Only this
 * thread enters them; all others leave messages for it.
 */
public final class EngineLoop extends VerticleBase implements Engine {
    private final Database database;
    private final Config config;
    private final ServerIdentity identity;
    private final PayloadCipher cipher;
    private final SpoolPlace spoolPlace;
    private final Transport transport;
    private final MeterRegistry meters;
    private final List<Runnable> historyListeners = new CopyOnWriteArrayList<>();
    private Mailbox mailbox;
    private Rooms rooms;
    private Announcements announcements;
    private volatile EngineStatus status;

    /**
     * The database that the engine works on.
     *
     * @param isDirect whether shards on other nodes are connected to there
     */
    public record Database(DatabaseConfig config, Schema.Installed installed, boolean isDirect) {}

    /** @param reportEvery how often counted numbers are stored in the database */
    public record Config(EngineConfig engine, ClusterConfig cluster, Duration reportEvery) {}

    /**
     * Creates the engine; deploying it as a verticle starts it.
     *
     * @param spoolPlace where pushes are stored while PostgreSQL is unavailable
     */
    public EngineLoop(Database database, Config config, ServerIdentity identity, PayloadCipher cipher,
            SpoolPlace spoolPlace, Transport transport, MeterRegistry meters) {
        this.database = database;
        this.config = config;
        this.identity = identity;
        this.cipher = cipher;
        this.spoolPlace = spoolPlace;
        this.transport = transport;
        this.meters = meters;
    }

    /** Completes when the engine is connected and the queues are loaded. */
    @Override
    public Future<?> start() {
        Thread.currentThread().setName("queen-engine");
        mailbox = new Mailbox(context);
        DatabaseConfig server = database.config;
        Schema.Installed installed = database.installed;
        Timers timers = new Timers(new VertxClock(vertx));
        ShardPlaces places = new ShardPlaces(new Place(server.host(), server.port()), installed.shards());
        ShardConnections connections = connections(places, timers);
        connections.onSchemaMissing(new RoutineRepair(server)::request);
        EngineContext engineContext = new EngineContext(installed.api(), connections, timers, config.engine,
                new BatchMeters(meters));
        EngineHost host = new EngineHost(task -> mailbox.post(task::run), new SecureRandom(), spoolPlace, transport);
        rooms = new Rooms(engineContext, host, identity, cipher, config.cluster, config.reportEvery, meters);
        status = rooms.status();
        transport.listen(new HintPost(mailbox, rooms.peers(), transport.traffic()));
        announcements = new Announcements(vertx, server, queue -> mailbox.post(() -> rooms.announced(queue)));
        connections.history().onChange(() -> {
            announcements.renew();
            historyListeners.forEach(Runnable::run);
        });
        watchStatus(timers);
        return rooms.open().onSuccess(_ -> {
            status = rooms.status();
            announcements.open();
            if (installed.isOnCitus() && database.isDirect) {
                new ShardMoves(installed.api(), places, connections, timers).follow();
            }
        });
    }

    private ShardConnections connections(ShardPlaces places, Timers timers) {
        DatabaseConfig server = database.config;
        Schema.Installed installed = database.installed;
        return new ShardConnections(installed.shards(),
                (shard, durability) -> new PgSessions(vertx, server, installed, durability, identity.id(),
                        shard == ShardConnections.CATALOG ? Shards.ALL : Shards.name(shard), () -> places.of(shard)),
                places::of, server.connectTimeout(), server.statementTimeout().plusSeconds(5), timers);
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
