package io.queenmq.server.http;

import io.queenmq.server.config.PopConfig;
import io.queenmq.server.engine.Engine;
import io.queenmq.server.http.RequestMeters.Kind;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;

/** The map from addresses to routes, one for each event loop. The busiest are first, because they are tried in order. */
final class Routes {
    private final HttpLoop loop;
    private final int bodyBytesMax;

    Routes(HttpLoop loop, int bodyBytesMax) {
        this.loop = loop;
        this.bodyBytesMax = bodyBytesMax;
    }

    Router router(Vertx vertx, Engine engine, PopConfig popDefaults, MessageIds ids, String version,
            MetricsRoute metrics) {
        PopRoute pop = new PopRoute(engine, popDefaults);
        AckRoute ack = new AckRoute(engine);
        RenewRoute renew = new RenewRoute(engine);
        Router router = Router.router(vertx);
        router.post(PushRoute.PATH).handler(withBody(Kind.PUSH, new PushRoute(engine, ids)));
        router.get(PopRoute.QUEUE_PATH).handler(plain(Kind.POP, pop::handleQueue));
        router.get(PopRoute.LANE_PATH).handler(plain(Kind.POP, pop::handleLane));
        router.post(AckRoute.BATCH_PATH).handler(withBody(Kind.ACK, ack::handleBatch));
        router.post(AckRoute.PATH).handler(withBody(Kind.ACK, ack::handle));
        router.get(PopRoute.FILTER_PATH).handler(plain(Kind.POP, pop::handleFilter));
        router.post(TransactionRoute.PATH).handler(withBody(Kind.TRANSACTION, new TransactionRoute(engine, ids)));
        router.post(RenewRoute.PATH).handler(context -> {
            RequestPath path = RequestPath.of(context.normalizedPath());
            readBody(context, Kind.RENEW, (exchange, body) -> renew.handle(exchange, path, body));
        });
        router.post(ConfigureRoute.PATH).handler(withBody(null, new ConfigureRoute(engine)));
        router.get(HealthRoute.PATH).handler(plain(new HealthRoute(engine, version)));
        router.get(MetricsRoute.PROMETHEUS_PATH).handler(plain(metrics::handlePrometheus));
        router.get(MetricsRoute.JSON_PATH).handler(plain(metrics::handleJson));
        router.delete(DeleteQueueRoute.PATH).handler(plain(new DeleteQueueRoute(engine)));
        addErrors(router);
        return router;
    }

    private void addErrors(Router router) {
        router.errorHandler(400, context -> exchange(context).error(400, "the request cannot be understood"));
        router.errorHandler(404, context -> exchange(context).error(404, "there is nothing at " + path(context)));
        router.errorHandler(405, context -> exchange(context).error(405,
                path(context) + " does not know the method " + context.request().method()));
        router.errorHandler(500, context -> exchange(context).bug(context.failure()));
    }

    private static String path(RoutingContext context) {
        return context.request().path();
    }

    private Exchange exchange(RoutingContext context) {
        return new Exchange(loop, context.request());
    }

    private Handler<RoutingContext> plain(PlainRoute route) {
        return plain(null, route);
    }

    /** @param kind what its requests are counted as; null for none */
    private Handler<RoutingContext> plain(Kind kind, PlainRoute route) {
        return context -> {
            Exchange exchange = exchange(context).as(kind);
            guarded(exchange, () -> route.handle(exchange, RequestPath.of(context.normalizedPath())));
        };
    }

    private Handler<RoutingContext> withBody(Kind kind, BodyRoute route) {
        return context -> readBody(context, kind, route);
    }

    private void readBody(RoutingContext context, Kind kind, BodyRoute route) {
        Exchange exchange = exchange(context).as(kind);
        BodyReader.read(context.request(), bodyBytesMax,
                body -> guarded(exchange, () -> route.handle(exchange, body)),
                () -> exchange.errorAndClose(413, "the body is larger than " + bodyBytesMax + " bytes"));
    }

    private static void guarded(Exchange exchange, Runnable handling) {
        try {
            handling.run();
        } catch (BadRequest e) {
            exchange.error(400, e.getMessage());
        } catch (RuntimeException e) {
            exchange.bug(e);
        }
    }
}
