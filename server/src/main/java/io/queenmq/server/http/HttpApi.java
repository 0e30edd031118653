package io.queenmq.server.http;

import io.queenmq.server.auth.OidcProvider;
import io.queenmq.server.config.HttpConfig;
import io.queenmq.server.http.access.Address;
import io.queenmq.server.http.access.QueueAccess;
import io.queenmq.server.http.operator.MetricsRoute;
import io.queenmq.server.http.server.HttpListener;
import io.queenmq.server.http.server.RequestMeters;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** The HTTP API of a server: its routes on the event loops of a listener. */
public final class HttpApi {
    private final HttpListener listener;
    private final List<Routes> routes;
    /** Null if the dashboard has no login with OpenID Connect. */
    private final @Nullable OidcProvider provider;

    private HttpApi(HttpListener listener, List<Routes> routes, @Nullable OidcProvider provider) {
        this.listener = listener;
        this.routes = routes;
        this.provider = provider;
    }

    /** Opens the listener. Completes when it accepts requests. */
    public static Future<HttpApi> open(Vertx vertx, HttpConfig config, HttpContext context) {
        RequestMeters meters = new RequestMeters(context.registry());
        MetricsRoute metrics = new MetricsRoute(context.registry(), meters, context.engine(), context.operatorQueries(),
                config.seriesMax());
        QueueAccess access = new QueueAccess(context.engine().queues(), context.operatorQueries());
        OidcProvider provider = config.oidc() == null ? null : OidcProvider.start(config.oidc());
        Routes.SharedParts parts = new Routes.SharedParts(context, config.exposure(), metrics, access, provider);
        List<Routes> routes = new CopyOnWriteArrayList<>();
        return HttpListener.open(vertx, config, context.registry(), meters, (router, loop) -> {
            Routes ofLoop = new Routes(parts, router, loop);
            ofLoop.addAll();
            routes.add(ofLoop);
        }).map(listener -> new HttpApi(listener, routes, provider)).onFailure(_ -> close(provider));
    }

    public int port() {
        return listener.port();
    }

    /** Returns the addresses of all routes except the pages of the dashboard. */
    List<Address> addresses() {
        return routes.getFirst().addresses();
    }

    /** Rejects new requests with 503. Completes when all requests in progress are answered. */
    public Future<Void> drain() {
        return listener.drain();
    }

    /** Closes all connections, even those of requests in progress. */
    public Future<Void> close() {
        close(provider);
        return listener.close();
    }

    private static void close(@Nullable OidcProvider provider) {
        if (provider != null) {
            provider.close();
        }
    }
}
