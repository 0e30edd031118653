package io.queenmq.server;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.queenmq.embedded.EmbeddedPostgres;
import io.queenmq.embedded.EmbeddedPostgresException;
import io.queenmq.engine.cipher.PayloadCipher;
import io.queenmq.engine.cluster.Transport;
import io.queenmq.engine.command.ReportTouchedCommand;
import io.queenmq.engine.numbers.ProcessMeters;
import io.queenmq.engine.numbers.ServerIdentity;
import io.queenmq.engine.spool.SpoolPlace;
import io.queenmq.engine.spool.SpoolStore;
import io.queenmq.engine.time.Clock;
import io.queenmq.schema.Schema;
import io.queenmq.schema.Shards;
import io.queenmq.server.auth.Authenticator;
import io.queenmq.server.auth.PostgresAuthStore;
import io.queenmq.server.auth.Rejections;
import io.queenmq.server.cluster.GroupTransport;
import io.queenmq.server.config.DatabaseConfig;
import io.queenmq.server.config.PostgresTls;
import io.queenmq.server.config.ServerConfig;
import io.queenmq.server.engine.EngineLoop;
import io.queenmq.server.http.HttpApi;
import io.queenmq.server.http.HttpContext;
import io.queenmq.server.http.access.Callers;
import io.queenmq.server.http.server.LimitedTransport;
import io.queenmq.server.keys.ApiKeys;
import io.queenmq.server.keys.BootstrapKey;
import io.queenmq.server.operator.DecryptedPayloads;
import io.queenmq.server.operator.DepthRefresher;
import io.queenmq.server.operator.FreshCounts;
import io.queenmq.server.operator.OperatorDesk;
import io.queenmq.server.operator.OperatorPool;
import io.queenmq.server.operator.PayloadView;
import io.queenmq.server.redrive.Redrives;
import io.queenmq.server.upkeep.Upkeep;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running server: the map of the building. Parts are opened in the order they stand in {@link #open} and closed in
 * reverse. All methods block.
 */
public final class Server implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Server.class);

    /** For steps that take no time unless something is broken; nothing may hang a shutdown for ever. */
    private static final Duration STEP_MAX = Duration.ofSeconds(30);

    /** Longer than everything takes that PostgreSQL is asked for at the end. */
    private static final Duration LEAVE_MAX = Duration.ofSeconds(6);

    private final ServerConfig config;
    private final PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Deque<Closing> opened = new ArrayDeque<>();
    private final CompletableFuture<String> storeLost = new CompletableFuture<>();
    private ServerIdentity identity;
    private String store;
    private HttpApi http;

    private Server(ServerConfig config) {
        this.config = config;
    }

    /** Returns when requests are accepted; when it fails, everything it had opened is closed again. */
    public static Server start(ServerConfig config) {
        Server server = new Server(config);
        try {
            server.open();
            return server;
        } catch (Throwable failure) {
            server.close();
            throw failure;
        }
    }

    private void open() {
        config.warnings().forEach(log::warn);
        identity = ServerIdentity.of(hostname(), config.http().port(), config.numbers().workerId(), Version.current(),
                Clock.SYSTEM);
        DatabaseConfig database = config.isEmbedded() ? openEmbedded() : config.database();
        DatabaseGate gate = new DatabaseGate(database, config.shards());
        if (!config.isEmbedded()) {
            store = "PostgreSQL at " + gate.address();
        }
        Schema.Installed installed = gate.pass();
        String apiSchema = installed.api();
        Shards shards = installed.shards();
        Vertx vertx = openVertx();
        PayloadCipher cipher = new PayloadCipher(config.encryption());
        GroupTransport group = config.cluster().isEnabled()
                ? new GroupTransport(identity, config.cluster(), database)
                : null;
        EngineLoop engine = openEngine(vertx, database, group == null ? Transport.NONE : group, installed, cipher);
        if (group != null) {
            opened.push(group::close);
        }
        PayloadView payloads = new DecryptedPayloads(cipher);
        OperatorPool operators = new OperatorPool(vertx, database, apiSchema, payloads);
        opened.push(() -> await(operators.close(), STEP_MAX));
        DepthRefresher depths = DepthRefresher.start(vertx, operators, shards,
                reply -> engine.submit(new ReportTouchedCommand(reply)),
                config.statsInterval());
        opened.push(depths::close);
        Redrives redrives = Redrives.open(vertx, database, apiSchema, engine, payloads, cipher);
        opened.push(() -> await(redrives.close(), STEP_MAX));
        Upkeep upkeep = Upkeep.start(vertx, database, installed, config.upkeep(), cipher, meters);
        opened.push(upkeep::close);
        Authenticator authenticator = config.auth() == null ? null : openAuthenticator(vertx, database, apiSchema);
        ApiKeys keys = config.keys() == null ? null : openKeys(vertx, operators);
        engine.onHistoryChange(() -> {
            operators.renew();
            if (keys != null) {
                keys.startOver();
            }
            redrives.renew();
            upkeep.renew();
            if (authenticator != null) {
                authenticator.renew();
            }
        });
        openHttp(vertx, engine, new FreshCounts(operators, depths), cipher,
                authenticator == null ? null : new Callers(authenticator, keys));
        if (group != null) {
            // Last, because it takes a while, and nobody has to wait for it.
            group.start();
        }
    }

    private DatabaseConfig openEmbedded() {
        var home = config.data().resolve("postgres");
        EmbeddedPostgres postgres = EmbeddedPostgres.start(home);
        opened.push(postgres::close);
        store = "data in " + home.toAbsolutePath().normalize();
        RestartLimit restarts = new RestartLimit(Clock.SYSTEM::nowNs);
        postgres.onLoss(() -> onPostgresLost(postgres, restarts, home.resolve("postgresql.log")));
        DatabaseConfig given = config.database();
        return new DatabaseConfig(postgres.host(), postgres.port(), postgres.database(), postgres.user(),
                postgres.password(), PostgresTls.OFF, given.connectTimeout(), given.statementTimeout(),
                given.lockTimeout());
    }

    /** A PostgreSQL that ended by itself is started again, unless that happens all the time. */
    private void onPostgresLost(EmbeddedPostgres postgres, RestartLimit restarts, Path logFile) {
        String trouble = "PostgreSQL ended by itself, " + logFile + " may say why";
        if (!restarts.isAllowed()) {
            storeLost.complete(trouble + ", for the " + (RestartLimit.RESTARTS_MAX + 1) + "th time in "
                    + RestartLimit.WITHIN.toMinutes()
                    + " minutes. Nothing that was accepted is lost; start Queen again.");
            return;
        }
        log.error("{}; it is started again", trouble);
        try {
            postgres.restart();
        } catch (EmbeddedPostgresException e) {
            storeLost.complete(trouble + ", and does not start again: " + e.getMessage());
        }
    }

    private Vertx openVertx() {
        // Loops for HTTP and one for the engine; Vert.x deals them out in turn. On a small machine one thread does it all:
        // threads that wake each other for every request cost more than they carry.
        VertxOptions options = new VertxOptions()
                .setEventLoopPoolSize(config.http().loops() == 1 ? 1 : config.http().loops() + 1)
                .setFileSystemOptions(
                        new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false));
        Vertx vertx = LimitedTransport.vertx(options);
        opened.push(() -> leave(vertx.close()));
        return vertx;
    }

    private ApiKeys openKeys(Vertx vertx, OperatorDesk operators) {
        if (config.keys().bootstrapFile() != null) {
            try {
                BootstrapKey.install(config.keys().bootstrapFile(), operators);
            } catch (IllegalStateException e) {
                throw new StartException(e.getMessage(), e);
            }
        }
        ApiKeys keys = ApiKeys.open(vertx, operators);
        opened.push(keys::close);
        return keys;
    }

    private Authenticator openAuthenticator(Vertx vertx, DatabaseConfig database, String apiSchema) {
        Authenticator authenticator = Authenticator.open(config.auth(),
                new PostgresAuthStore(vertx, database, apiSchema), meters);
        opened.push(authenticator::close);
        return authenticator;
    }

    private EngineLoop openEngine(Vertx vertx, DatabaseConfig database, Transport transport, Schema.Installed installed,
            PayloadCipher cipher) {
        opened.push(meters::close);
        ProcessMeters.register(identity, Clock.SYSTEM, meters);
        Rejections.register(meters);
        EngineLoop engine = new EngineLoop(
                new EngineLoop.Database(database, installed, config.shards().isDirect()),
                new EngineLoop.Config(config.engine(), config.cluster(), config.numbers().reportEvery()),
                identity, cipher, openSpool(), transport, meters);
        await(vertx.deployVerticle(engine), STEP_MAX);
        opened.push(() -> leave(vertx.undeploy(engine.deploymentID())));
        return engine;
    }

    /** Its files have a thread of their own, so that a disk that is slow holds up nobody but those who wait for it. */
    private SpoolPlace openSpool() {
        if (!config.spool().isEnabled()) {
            return SpoolPlace.NONE;
        }
        SpoolStore files = SpoolStore.open(config.spool());
        opened.push(files::close);
        ExecutorService disk = Executors
                .newSingleThreadExecutor(Thread.ofPlatform().daemon().name("queen-spool").factory());
        opened.push(() -> {
            disk.shutdown();
            if (!disk.awaitTermination(STEP_MAX.toMillis(), TimeUnit.MILLISECONDS)) {
                log.warn("the disk of the spool does not answer and is left behind");
            }
        });
        return new SpoolPlace(files, disk);
    }

    private void openHttp(Vertx vertx, EngineLoop engine, OperatorDesk operators, PayloadCipher cipher,
            Callers callers) {
        try {
            http = await(HttpApi.open(vertx, config.http(),
                    new HttpContext(engine, operators, cipher, callers, config.pop(), identity, meters)), STEP_MAX);
        } catch (IllegalArgumentException e) {
            throw new StartException(e.getMessage(), e);
        }
        opened.push(() -> {
            drain(engine);
            await(http.close(), STEP_MAX);
        });
    }

    /** Lets requests under way end; pops that only wait are told at once that there is nothing. */
    private void drain(EngineLoop engine) {
        Future<Void> drained = http.drain();
        engine.drain();
        try {
            drained.await(config.shutdownGrace().toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException _) {
            log.warn("requests are still under way after {} ms and are cut off", config.shutdownGrace().toMillis());
        }
    }

    private static String hostname() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException _) {
            return "localhost";
        }
    }

    /** Waits for the end of what has connections: one that went silent would never say goodbye, and is left behind. */
    private static void leave(Future<Void> closing) {
        try {
            closing.await(LEAVE_MAX.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException _) {
            log.warn("connections to PostgreSQL that do not answer are left behind");
        }
    }

    private static <T> T await(Future<T> future, Duration max) {
        try {
            return future.await(max.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new StartException("no answer within " + max.toSeconds() + " s", e);
        }
    }

    public int port() {
        return http.port();
    }

    /** Where to reach it, from this machine. */
    public String url() {
        return (config.http().tls() == null ? "http" : "https") + "://localhost:" + port();
    }

    /** Where the messages are, in words. */
    public String store() {
        return store;
    }

    /** Calls the task with the reason if the PostgreSQL that Queen brought along is gone for good: this server can only be closed. */
    public void onStoreLost(Consumer<String> task) {
        storeLost.thenAccept(task);
    }

    /** Ends what is under way and closes everything, PostgreSQL last. Calling it again does nothing. */
    @Override
    public void close() {
        while (!opened.isEmpty()) {
            try {
                opened.pop().close();
            } catch (Exception e) {
                // What remains must be closed all the same.
                log.error("a part of the server did not close cleanly", e);
            }
        }
    }

    private interface Closing {
        void close() throws Exception;
    }
}
