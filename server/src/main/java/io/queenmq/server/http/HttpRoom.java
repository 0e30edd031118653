package io.queenmq.server.http;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.queenmq.engine.Engine;
import io.queenmq.engine.cipher.PayloadCipher;
import io.queenmq.engine.numbers.ServerIdentity;
import io.queenmq.server.auth.OidcProvider;
import io.queenmq.server.config.HttpConfig;
import io.queenmq.server.config.PopConfig;
import io.queenmq.server.operator.OperatorDesk;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;

/** The HTTP side of a server. */
public final class HttpRoom {
    private final Vertx vertx;
    private final List<HttpLoop> loops;
    private final OidcProvider provider;
    /** Null for plain HTTP. */
    private TlsReload reload;

    private HttpRoom(Vertx vertx, List<HttpLoop> loops, OidcProvider provider) {
        this.vertx = vertx;
        this.loops = loops;
        this.provider = provider;
    }

    /**
     * Completes when requests are accepted.
     *
     * @param callers null when everybody may do everything
     */
    public static Future<HttpRoom> open(Vertx vertx, HttpConfig config, PopConfig popDefaults, Engine engine,
            OperatorDesk desk, PayloadCipher cipher, Callers callers, ServerIdentity identity,
            PrometheusMeterRegistry registry) {
        TlsFiles tls;
        try {
            tls = config.tls() == null ? null : TlsFiles.read(config.tls());
            if (tls != null) {
                tls.check(vertx);
            }
        } catch (IOException e) {
            return Future.failedFuture(new IllegalArgumentException("cannot read a file of TLS_CERT, TLS_KEY or "
                    + "TLS_CLIENT_CA: " + e, e));
        } catch (IllegalArgumentException e) {
            return Future.failedFuture(e);
        }
        RequestMeters meters = new RequestMeters(registry);
        MetricsRoute metrics = new MetricsRoute(registry, meters, desk, config.seriesMax());
        QueueAccess access = new QueueAccess(engine.queues(), desk);
        Bounds bounds = Bounds.of(config.limits(), registry);
        OidcProvider provider = config.oidc() == null ? null : OidcProvider.start(config.oidc());
        List<HttpLoop> loops = IntStream.range(0, config.loops())
                .mapToObj(
                        number -> new HttpLoop(number, config, tls, popDefaults, engine, desk, cipher, callers, access,
                                identity, metrics, meters, bounds, provider))
                .toList();
        Future<?> open = Future.succeededFuture();
        // One after the other, because the first finds the port when it is to be any.
        for (HttpLoop loop : loops) {
            open = open.compose(_ -> vertx.deployVerticle(loop, new DeploymentOptions()));
        }
        HttpRoom room = new HttpRoom(vertx, loops, provider);
        return open.map(_ -> {
            LimitedTransport.limit(vertx, room.port(), bounds.connections());
            if (tls != null) {
                room.reload = TlsReload.start(vertx, config.tls(), loops.getFirst().server(), tls, registry);
            }
            return room;
        });
    }

    public int port() {
        return loops.getFirst().port();
    }

    /** Every route there is. */
    List<Routes.Address> addresses() {
        return loops.getFirst().addresses();
    }

    /** From now on new requests are refused with 503; completes when those under way are answered. */
    public Future<Void> drain() {
        return Future.all(loops.stream().map(HttpLoop::drain).toList()).mapEmpty();
    }

    /** Closes all connections, whatever is still under way. */
    public Future<Void> close() {
        if (provider != null) {
            provider.close();
        }
        LimitedTransport.unlimit(vertx, port());
        if (reload != null) {
            reload.stop();
        }
        return Future.join(loops.stream().map(loop -> vertx.undeploy(loop.deploymentID())).toList()).mapEmpty();
    }
}
