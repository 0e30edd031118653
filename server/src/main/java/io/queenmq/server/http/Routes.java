package io.queenmq.server.http;

import static io.vertx.core.http.HttpMethod.DELETE;
import static io.vertx.core.http.HttpMethod.GET;
import static io.vertx.core.http.HttpMethod.POST;

import io.queenmq.server.cipher.PayloadCipher;
import io.queenmq.server.config.PopConfig;
import io.queenmq.server.engine.Engine;
import io.queenmq.server.http.RequestMeters.Kind;
import io.queenmq.server.numbers.ServerIdentity;
import io.queenmq.server.operator.OperatorDesk;
import io.queenmq.server.push.MessageIds;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayList;
import java.util.List;

/** The map from addresses to routes, one for each event loop. The busiest are first, because they are tried in order. */
final class Routes {
    private final HttpLoop loop;
    private final int bodyBytesMax;
    private final Guard guard;
    private final List<Address> addresses = new ArrayList<>();
    private Router router;

    /** @param guard null when everybody may do everything */
    Routes(HttpLoop loop, int bodyBytesMax, Guard guard) {
        this.guard = guard;
        this.loop = loop;
        this.bodyBytesMax = bodyBytesMax;
    }

    Router router(Vertx vertx, Engine engine, OperatorDesk desk, PopConfig popDefaults, MessageIds ids,
            ServerIdentity identity, MetricsRoute metrics, PayloadCipher cipher) {
        PopRoute pop = new PopRoute(engine, popDefaults, cipher);
        AckRoute ack = new AckRoute(engine);
        RenewRoute renew = new RenewRoute(engine);
        router = Router.router(vertx);
        add(POST, PushRoute.PATH, Access.READ_WRITE, withBody(Kind.PUSH, new PushRoute(engine, ids)));
        add(GET, PopRoute.QUEUE_PATH, Access.READ_WRITE, plain(Kind.POP, pop::handleQueue));
        add(GET, PopRoute.LANE_PATH, Access.READ_WRITE, plain(Kind.POP, pop::handleLane));
        add(POST, AckRoute.BATCH_PATH, Access.READ_WRITE, withBody(Kind.ACK, ack::handleBatch));
        add(POST, AckRoute.PATH, Access.READ_WRITE, withBody(Kind.ACK, ack::handle));
        add(GET, PopRoute.FILTER_PATH, Access.READ_WRITE, plain(Kind.POP, pop::handleFilter));
        add(POST, TransactionRoute.PATH, Access.READ_WRITE,
                withBody(Kind.TRANSACTION, new TransactionRoute(engine, ids)));
        add(POST, RenewRoute.PATH, Access.READ_WRITE, context -> {
            RequestPath path = RequestPath.of(context.normalizedPath());
            readBody(context, Kind.RENEW, (exchange, body) -> renew.handle(exchange, path, body));
        });
        add(POST, ConfigureRoute.PATH, Access.READ_WRITE, withBody(null, new ConfigureRoute(engine)));
        add(GET, HealthRoute.PATH, Access.PUBLIC, plain(new HealthRoute(engine, identity)));
        add(GET, MetricsRoute.PROMETHEUS_PATH, Access.PUBLIC, plain(metrics::handlePrometheus));
        add(GET, MetricsRoute.JSON_PATH, Access.PUBLIC, plain(metrics::handleJson));
        add(GET, OpenApiRoute.PATH, Access.PUBLIC, plain(new OpenApiRoute(addresses, identity.version())));
        IdentityRoute identityRoute = new IdentityRoute(guard != null);
        add(GET, IdentityRoute.PATH, Access.READ_ONLY,
                context -> identityRoute.handle(exchange(context), Guard.roleOf(context)));
        add(GET, BuffersRoute.PATH, Access.READ_ONLY, plain(new BuffersRoute(engine, identity)));
        add(POST, NotifyRoute.PATH, Access.ADMIN, withBody(null, new NotifyRoute(engine)));
        add(DELETE, DeleteQueueRoute.PATH, Access.ADMIN, plain(new DeleteQueueRoute(engine)));
        for (OperatorRoute route : OperatorRoutes.all(identity)) {
            add(new Address(route.method(), route.path(), route.access(), route.parameters()),
                    forOperators(route, desk, engine));
        }
        new DashboardRoutes(loop).addTo(router);
        addErrors(router);
        return router;
    }

    private void add(HttpMethod method, String path, Access access, Handler<RoutingContext> handler) {
        add(new Address(method, path, access, List.of()), handler);
    }

    private void add(Address address, Handler<RoutingContext> handler) {
        addresses.add(address);
        router.route(address.method, address.path)
                .handler(guard == null ? handler : guard.before(handler, address.access));
    }

    /** Every route there is, for whoever guards or describes them. */
    List<Address> addresses() {
        return addresses;
    }

    /** @param parameters those of a route for operators; the others read their requests themselves */
    record Address(HttpMethod method, String path, Access access, List<Parameter> parameters) {
        @Override
        public String toString() {
            return method + " " + path;
        }
    }

    private Handler<RoutingContext> forOperators(OperatorRoute route, OperatorDesk desk, Engine engine) {
        return context -> {
            RequestPath path = RequestPath.of(context.normalizedPath());
            readBody(context, null, (exchange, body) -> route.handle(exchange, path, body, desk, engine));
        };
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
        Exchange exchange = new Exchange(loop, context.request());
        return guard == null ? exchange : exchange.by(Guard.actorOf(context));
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
        BodyReader.read(context.request(), loop.largeBodies(), bodyBytesMax,
                body -> guarded(exchange, () -> route.handle(exchange, body)),
                () -> exchange.errorAndClose(413, "the body is larger than " + bodyBytesMax + " bytes"),
                () -> exchange.errorAndClose(408, "the body came too slowly, and others were waiting"));
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
