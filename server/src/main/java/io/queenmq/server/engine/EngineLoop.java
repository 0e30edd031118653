package io.queenmq.server.engine;

import io.micrometer.core.instrument.MeterRegistry;
import io.queenmq.engine.Engine;
import io.queenmq.engine.EngineHost;
import io.queenmq.engine.EngineModules;
import io.queenmq.engine.EngineStatus;
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
import io.queenmq.engine.numbers.ProcessUse;
import io.queenmq.engine.numbers.ServerIdentity;
import io.queenmq.engine.spool.SpoolResources;
import io.queenmq.engine.spool.SpoolStatus;
import io.queenmq.engine.time.Clock;
import io.queenmq.engine.time.Timers;
import io.queenmq.schema.Schema;
import io.queenmq.schema.Shards;
import io.queenmq.server.config.DatabaseConfig;
import io.queenmq.server.postgres.Announcements;
import io.queenmq.server.postgres.PgSessions;
import io.queenmq.server.postgres.RoutineRepair;
import io.queenmq.server.postgres.ShardMoves;
import io.queenmq.server.postgres.ShardPlaces;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the engine on one event loop, which owns the {@link EngineModules} and with them all mutable state between HTTP and
 * PostgreSQL. Only this thread calls the modules; all other threads post tasks to its mailbox.
 */
public final class EngineLoop implements Engine {
    private static final Logger log = LoggerFactory.getLogger(EngineLoop.class);

    private final Vertx vertx;
    private final Context context;
    private final Setup setup;
    private final Mailbox mailbox;
    private final EngineModules modules;
    private final Announcements announcements;
    private final ShardMoves shardMoves;
    private final List<Runnable> historyListeners = new CopyOnWriteArrayList<>();
    private volatile EngineStatus status;
    private volatile long ranNs = Clock.SYSTEM.nowNs();

    /**
     * The database of the engine.
     *
     * @param isDirect true if the engine connects to the nodes on which the shards are
     * @param available completes when the schema of this release is installed. The engine opens no connection before that
     */
    public record Database(DatabaseConfig config, Schema.Installed installed, boolean isDirect,
            Future<Void> available) {}

    /**
     * @param reportEvery the interval at which counted numbers are stored in the database
     * @param seriesMax maximum number of queues with their own series in the metrics
     */
    public record Config(EngineConfig engine, ClusterConfig cluster, Duration reportEvery, int seriesMax) {}

    /**
     * The parts of the server that the engine uses.
     *
     * @param spoolResources where pushes are stored while PostgreSQL is unavailable
     */
    public record Setup(Database database, Config config, ServerIdentity identity, PayloadCipher cipher,
            SpoolResources spoolResources, Transport transport, MeterRegistry meters) {}

    /** Must be called on the event loop of the engine. */
    private EngineLoop(Vertx vertx, Context context, Setup setup) {
        this.vertx = vertx;
        this.context = context;
        this.setup = setup;
        mailbox = new Mailbox(context);
        DatabaseConfig server = setup.database.config;
        Schema.Installed installed = setup.database.installed;
        Timers timers = new Timers(new VertxClock(vertx));
        ShardPlaces places = new ShardPlaces(
                new Place(Objects.requireNonNull(server.host(), "the database has an address"), server.port()),
                installed.shards());
        ShardConnections connections = connections(vertx, setup, places, timers);
        connections.onSchemaMissing(new RoutineRepair(server)::request);
        EngineContext engineContext = new EngineContext(installed.api(), connections, timers, setup.config.engine,
                new BatchMeters(setup.meters));
        EngineHost host = new EngineHost(mailbox::post, new SecureRandom(), setup.spoolResources, setup.transport,
                ProcessUse::now);
        modules = new EngineModules(engineContext, host, setup.identity, setup.cipher, setup.config.cluster,
                setup.config.reportEvery, setup.meters);
        modules.limitSeries(setup.config.seriesMax);
        status = modules.status();
        setup.transport.listen(new HintPost(mailbox, modules.peers(), setup.transport.traffic()));
        announcements = new Announcements(vertx, server, queue -> mailbox.post(() -> modules.announced(queue)));
        shardMoves = new ShardMoves(installed.api(), places, connections, timers);
        connections.history().onChange(() -> {
            announcements.renew();
            historyListeners.forEach(Runnable::run);
        });
        watchStatus(timers);
    }

    /**
     * Starts the engine on its own event loop. Completes when the engine is connected and the queues are loaded, or at once if
     * PostgreSQL is not available yet.
     */
    public static Future<EngineLoop> start(Vertx vertx, Setup setup) {
        Deployment deployment = new Deployment(setup);
        return vertx.deployVerticle(deployment).compose(_ -> deployment.engine.future());
    }

    /** Gives the engine an event loop of Vert.x. */
    private static final class Deployment extends VerticleBase {
        private final Setup setup;
        private final Promise<EngineLoop> engine = Promise.promise();

        Deployment(Setup setup) {
            this.setup = setup;
        }

        @Override
        public Future<?> start() {
            Thread.currentThread().setName("queen-engine");
            EngineLoop created = new EngineLoop(vertx, context, setup);
            engine.complete(created);
            return created.open();
        }

        @Override
        public Future<?> stop() {
            return engine.future().compose(EngineLoop::closeModules);
        }
    }

    private Future<?> open() {
        Future<Void> available = setup.database.available;
        if (available.isComplete()) {
            return connect();
        }
        available.onSuccess(_ -> mailbox.post(() -> connect()
                .onFailure(cause -> log.error("engine not connected, restart the server: {}", cause.getMessage()))));
        return Future.succeededFuture();
    }

    private Future<?> connect() {
        return modules.open().onSuccess(_ -> {
            status = modules.status();
            announcements.open();
            if (setup.database.installed.isOnCitus() && setup.database.isDirect) {
                shardMoves.follow();
            }
        });
    }

    private static ShardConnections connections(Vertx vertx, Setup setup, ShardPlaces places, Timers timers) {
        DatabaseConfig server = setup.database.config;
        Schema.Installed installed = setup.database.installed;
        return new ShardConnections(installed.shards(),
                (shard, durability) -> new PgSessions(vertx, server, installed, durability, setup.identity.id(),
                        shard == ShardConnections.CATALOG ? Shards.ALL : Shards.name(shard), () -> places.of(shard)),
                places::of, server.timeouts().connect(), server.timeouts().statement().plusSeconds(5), timers);
    }

    /** Stops the engine. Completes when its connections are closed. */
    public Future<Void> close() {
        return vertx.undeploy(context.deploymentID());
    }

    private Future<?> closeModules() {
        return Future.join(modules.close(), announcements.close());
    }

    /** Adds a listener that is called on the engine loop when the database has another history. It must not block. */
    public void onHistoryChange(Runnable listener) {
        historyListeners.add(listener);
    }

    /** Completes every waiting pop, now and in the future, so that the server can stop without delay. */
    public void drain() {
        mailbox.post(() -> modules.drain());
    }

    @Override
    public void submit(Command command) {
        mailbox.post(() -> modules.submit(command), command.reply());
    }

    @Override
    public QueueDirectory queues() {
        return modules.queues();
    }

    @Override
    public EngineStatus status() {
        return status;
    }

    @Override
    public SpoolStatus spool() {
        return modules.spool();
    }

    @Override
    public String queueMetrics() {
        return modules.queueMetrics();
    }

    @Override
    public Duration pause() {
        return Duration.ofNanos(Clock.SYSTEM.nowNs() - ranNs);
    }

    private void watchStatus(Timers timers) {
        timers.after(100_000_000, () -> {
            ranNs = Clock.SYSTEM.nowNs();
            status = modules.status();
            watchStatus(timers);
        });
    }
}
