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
import io.queenmq.engine.spool.SpoolResources;
import io.queenmq.engine.spool.SpoolStore;
import io.queenmq.engine.time.Clock;
import io.queenmq.schema.Schema;
import io.queenmq.schema.Shards;
import io.queenmq.server.auth.Authenticator;
import io.queenmq.server.auth.PostgresAuthStore;
import io.queenmq.server.auth.Rejections;
import io.queenmq.server.cluster.GroupTransport;
import io.queenmq.server.config.AuthConfig;
import io.queenmq.server.config.DatabaseConfig;
import io.queenmq.server.config.KeyConfig;
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
import io.queenmq.server.operator.OperatorPool;
import io.queenmq.server.operator.OperatorQueries;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts a server: {@link #open} creates its parts in order. A part adds its closing to a stack, which the server closes in
 * reverse order. All methods block.
 */
final class ServerStart {
    private static final Logger log = LoggerFactory.getLogger(ServerStart.class);

    /** Maximum for steps that are fast unless a part has failed. A shutdown must never wait without a limit. */
    private static final Duration STEP_MAX = Duration.ofSeconds(30);

    /** Longer than the last calls to PostgreSQL during a shutdown. */
    private static final Duration DISCONNECT_MAX = Duration.ofSeconds(6);

    private final ServerConfig config;
    private final ServerIdentity identity;
    private final PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Closings opened = new Closings();
    private final CompletableFuture<String> storeLost = new CompletableFuture<>();

    private ServerStart(ServerConfig config) {
        this.config = config;
        this.identity = ServerIdentity.of(hostname(), config.http().port(), config.operations().numbers().workerId(),
                Version.current(), Clock.SYSTEM);
    }

    /** Returns when requests are accepted. If the start fails, all parts that were opened are closed. */
    static Server start(ServerConfig config) {
        ServerStart start = new ServerStart(config);
        try {
            return start.open();
        } catch (Throwable failure) {
            start.opened.close();
            throw failure;
        }
    }

    private Server open() {
        config.operations().logging().warnings().forEach(log::warn);
        DatabaseConfig database = config.storage().isEmbedded() ? openEmbedded() : config.storage().database();
        DatabaseGate gate = new DatabaseGate(database, config.storage().shards());
        DatabaseOpening opening = new DatabaseOpening(gate, config.storage().isEmbedded(),
                new ExpectedShards(config.storage().data(), config.storage().shards()), storeLost);
        opened.push(opening::close);
        Schema.Installed installed = opening.installed();
        String apiSchema = installed.api();
        Shards shards = installed.shards();
        Vertx vertx = openVertx();
        PayloadCipher cipher = new PayloadCipher(config.access().encryption());
        GroupTransport group = config.cluster().isEnabled()
                ? new GroupTransport(identity, config.cluster(), database)
                : null;
        EngineLoop engine = openEngine(vertx, database, group == null ? Transport.NONE : group, opening, cipher);
        if (group != null) {
            opened.push(group::close);
        }
        PayloadView payloads = new DecryptedPayloads(cipher);
        OperatorPool operators = new OperatorPool(vertx, database, apiSchema, payloads);
        opened.push(() -> await(operators.close(), STEP_MAX));
        DepthRefresher depths = DepthRefresher.start(vertx, operators, shards,
                reply -> engine.submit(new ReportTouchedCommand(reply)), config.operations().numbers().totalsEvery());
        opened.push(depths::close);
        Redrives redrives = Redrives.open(vertx, database, apiSchema, engine, payloads, cipher);
        opened.push(() -> await(redrives.close(), STEP_MAX));
        Upkeep upkeep = Upkeep.start(vertx, database, installed, config.operations().upkeep(), cipher, meters,
                opening.available());
        opened.push(upkeep::close);
        AuthConfig auth = config.access().auth();
        Authenticator authenticator = auth == null ? null : openAuthenticator(vertx, database, apiSchema, auth);
        KeyConfig keyConfig = config.access().keys();
        ApiKeys keys = keyConfig == null ? null : openKeys(vertx, operators, keyConfig, opening.available());
        engine.onHistoryChange(() -> {
            operators.renew();
            if (keys != null) {
                keys.reloadAll();
            }
            redrives.renew();
            upkeep.renew();
            if (authenticator != null) {
                authenticator.renew();
            }
        });
        HttpApi http = openHttp(vertx, engine, new FreshCounts(operators, depths), cipher,
                authenticator == null ? null : new Callers(authenticator, keys));
        if (group != null) {
            // Last, because joining takes seconds and the server works without it.
            opening.available().onSuccess(_ -> group.start());
        }
        String store = config.storage().isEmbedded()
                ? "data in " + embeddedHome().toAbsolutePath().normalize()
                : "PostgreSQL at " + gate.address() + (opening.available().isComplete() ? "" : " is unavailable");
        return new Server(http, scheme(), store, storeLost, opened);
    }

    private String scheme() {
        return config.http().tls() == null ? "http" : "https";
    }

    private Path embeddedHome() {
        return config.storage().data().resolve("postgres");
    }

    private DatabaseConfig openEmbedded() {
        Path home = embeddedHome();
        EmbeddedPostgres postgres = EmbeddedPostgres.start(home);
        opened.push(postgres::close);
        RestartLimit restarts = new RestartLimit(Clock.SYSTEM::nowNs);
        postgres.onLoss(() -> onPostgresLost(postgres, restarts, home.resolve("postgresql.log")));
        DatabaseConfig configured = config.storage().database();
        return new DatabaseConfig(postgres.host(), postgres.port(), postgres.database(), postgres.user(),
                postgres.password(), PostgresTls.OFF, configured.timeouts());
    }

    /** Restarts a PostgreSQL that ended by itself, up to the limit. */
    private void onPostgresLost(EmbeddedPostgres postgres, RestartLimit restarts, Path logFile) {
        String trouble = "PostgreSQL ended by itself (its log: " + logFile + ")";
        if (!restarts.isAllowed()) {
            storeLost.complete(
                    trouble + ", " + (RestartLimit.RESTARTS_MAX + 1) + " times in " + RestartLimit.WITHIN.toMinutes()
                            + " minutes. All accepted messages are stored; correct the cause, and start Queen again.");
            return;
        }
        log.error("{}, restarting PostgreSQL", trouble);
        try {
            postgres.restart();
        } catch (EmbeddedPostgresException e) {
            storeLost.complete(trouble + ", and the restart failed: " + e.getMessage());
        }
    }

    private Vertx openVertx() {
        // One loop for the engine and the others for HTTP; Vert.x assigns them in turn. On a small machine, one thread is
        // both: waking another thread for every request costs more than the request itself.
        VertxOptions options = new VertxOptions()
                .setEventLoopPoolSize(config.http().loops() == 1 ? 1 : config.http().loops() + 1).setFileSystemOptions(
                        new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false));
        Vertx vertx = LimitedTransport.vertx(options);
        opened.push(() -> awaitDisconnect(vertx.close()));
        return vertx;
    }

    /** @param available completes when the database is available; keys are installed and loaded then */
    private ApiKeys openKeys(Vertx vertx, OperatorQueries operators, KeyConfig keyConfig, Future<Void> available) {
        Path bootstrapFile = keyConfig.bootstrapFile();
        boolean isAvailable = available.isComplete();
        if (bootstrapFile != null && isAvailable) {
            try {
                BootstrapKey.install(bootstrapFile, operators);
            } catch (IllegalStateException e) {
                throw new StartException(e.getMessage(), e);
            }
        } else if (bootstrapFile != null) {
            available.onSuccess(_ -> Thread.ofVirtual().name("queen-bootstrap-key")
                    .start(() -> installLater(bootstrapFile, operators)));
        }
        ApiKeys keys = isAvailable ? ApiKeys.open(vertx, operators) : ApiKeys.openWithoutDatabase(vertx, operators);
        opened.push(keys::close);
        return keys;
    }

    private void installLater(Path bootstrapFile, OperatorQueries operators) {
        try {
            BootstrapKey.install(bootstrapFile, operators);
        } catch (IllegalStateException e) {
            storeLost.complete(String.valueOf(e.getMessage()));
        }
    }

    private Authenticator openAuthenticator(Vertx vertx, DatabaseConfig database, String apiSchema, AuthConfig auth) {
        Authenticator authenticator = Authenticator.open(auth, new PostgresAuthStore(vertx, database, apiSchema),
                meters);
        opened.push(authenticator::close);
        return authenticator;
    }

    private EngineLoop openEngine(Vertx vertx, DatabaseConfig database, Transport transport, DatabaseOpening opening,
            PayloadCipher cipher) {
        opened.push(meters::close);
        ProcessMeters.register(identity, Clock.SYSTEM, meters);
        Rejections.register(meters);
        EngineLoop.Setup setup = new EngineLoop.Setup(
                new EngineLoop.Database(database, opening.installed(), config.storage().shards().isDirect(),
                        opening.available()),
                new EngineLoop.Config(config.engine(), config.cluster(), config.operations().numbers().reportEvery(),
                        config.http().seriesMax()),
                identity, cipher, openSpool(), transport, meters);
        EngineLoop engine = await(EngineLoop.start(vertx, setup), STEP_MAX);
        opened.push(() -> awaitDisconnect(engine.close()));
        return engine;
    }

    /** Opens the spool. Its files have their own thread, so that a slow disk delays only requests that use the spool. */
    private SpoolResources openSpool() {
        if (!config.storage().spool().isEnabled()) {
            return SpoolResources.NONE;
        }
        SpoolStore files = SpoolStore.open(config.storage().spool());
        opened.push(files::close);
        ExecutorService disk = Executors
                .newSingleThreadExecutor(Thread.ofPlatform().daemon().name("queen-spool").factory());
        opened.push(() -> {
            disk.shutdown();
            if (!disk.awaitTermination(STEP_MAX.toMillis(), TimeUnit.MILLISECONDS)) {
                log.warn("spool not closed within {} s, its disk does not respond; the shutdown continues",
                        STEP_MAX.toSeconds());
            }
        });
        return new SpoolResources(files, disk);
    }

    private HttpApi openHttp(Vertx vertx, EngineLoop engine, OperatorQueries operators, PayloadCipher cipher,
            @Nullable Callers callers) {
        HttpApi http;
        try {
            http = await(
                    HttpApi.open(vertx, config.http(),
                            new HttpContext(engine, operators, cipher, callers, config.pop(), identity, meters)),
                    STEP_MAX);
        } catch (IllegalArgumentException e) {
            throw new StartException(e.getMessage(), e);
        }
        opened.push(() -> {
            drain(engine, http);
            await(http.close(), STEP_MAX);
        });
        return http;
    }

    /** Completes the requests under way. Waiting pops receive an empty response immediately. */
    private void drain(EngineLoop engine, HttpApi http) {
        Future<Void> drained = http.drain();
        engine.drain();
        try {
            drained.await(config.operations().shutdownGrace().toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException _) {
            log.warn("drain timed out after {} ms, closing the connections of unfinished requests",
                    config.operations().shutdownGrace().toMillis());
        }
    }

    private static String hostname() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException _) {
            return "localhost";
        }
    }

    /** Waits until a part has closed its connections, up to a limit: a silent connection never completes its close. */
    private static void awaitDisconnect(Future<Void> closing) {
        try {
            closing.await(DISCONNECT_MAX.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException _) {
            log.warn("connections to PostgreSQL not closed within {} s, the shutdown continues",
                    DISCONNECT_MAX.toSeconds());
        }
    }

    private static <T> T await(Future<T> future, Duration max) {
        try {
            return future.await(max.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new StartException("a part of the server did not respond within " + max.toSeconds() + " s", e);
        }
    }
}
