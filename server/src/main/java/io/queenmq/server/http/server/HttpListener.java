package io.queenmq.server.http.server;

import io.micrometer.core.instrument.MeterRegistry;
import io.queenmq.server.config.HttpConfig;
import io.queenmq.server.config.TlsConfig;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The port on which clients connect, and the event loops that share its connections. */
public final class HttpListener {
    private final Vertx vertx;
    private final List<HttpLoop> loops;
    /** Null for plain HTTP. */
    private final @Nullable TlsReload reload;

    private HttpListener(Vertx vertx, List<HttpLoop> loops, @Nullable TlsReload reload) {
        this.vertx = vertx;
        this.loops = loops;
        this.reload = reload;
    }

    /** Opens the port. Completes when requests are accepted. */
    public static Future<HttpListener> open(Vertx vertx, HttpConfig config, MeterRegistry registry,
            RequestMeters meters, RouteSetup setup) {
        TlsConfig files = config.tls();
        TlsFiles tls;
        try {
            tls = files == null ? null : TlsFiles.read(files);
            if (tls != null) {
                tls.check(vertx);
            }
        } catch (IOException e) {
            return Future.failedFuture(new IllegalArgumentException(
                    "cannot read a file of TLS_CERT, TLS_KEY or " + "TLS_CLIENT_CA: " + e, e));
        } catch (IllegalArgumentException e) {
            return Future.failedFuture(e);
        }
        Bounds bounds = Bounds.of(config.limits(), registry);
        List<HttpLoop> loops = IntStream.range(0, config.loops())
                .mapToObj(number -> new HttpLoop(number, config, tls, bounds, meters, setup)).toList();
        Future<?> open = Future.succeededFuture();
        // One after the other, because the first one chooses the port if any free port will do.
        for (HttpLoop loop : loops) {
            open = open.compose(_ -> vertx.deployVerticle(loop, new DeploymentOptions()));
        }
        return open.map(_ -> {
            HttpLoop first = loops.getFirst();
            LimitedTransport.limit(vertx, first.port(), bounds.connections());
            return new HttpListener(vertx, loops,
                    files == null || tls == null ? null : TlsReload.start(vertx, files, first.server(), tls, registry));
        });
    }

    public int port() {
        return loops.getFirst().port();
    }

    /** Rejects new requests with 503. Completes when all requests in progress are answered. */
    public Future<Void> drain() {
        return Future.all(loops.stream().map(HttpLoop::drain).toList()).mapEmpty();
    }

    /** Closes all connections, even those of requests in progress. */
    public Future<Void> close() {
        LimitedTransport.unlimit(vertx, port());
        if (reload != null) {
            reload.stop();
        }
        return Future.join(loops.stream().map(loop -> vertx.undeploy(loop.deploymentID())).toList()).mapEmpty();
    }
}
