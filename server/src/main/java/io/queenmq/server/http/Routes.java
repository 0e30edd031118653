package io.queenmq.server.http;

import static io.vertx.core.http.HttpMethod.DELETE;
import static io.vertx.core.http.HttpMethod.GET;
import static io.vertx.core.http.HttpMethod.POST;

import io.queenmq.engine.Engine;
import io.queenmq.engine.numbers.ServerIdentity;
import io.queenmq.engine.push.MessageIds;
import io.queenmq.engine.time.Clock;
import io.queenmq.server.auth.OidcProvider;
import io.queenmq.server.auth.Right;
import io.queenmq.server.config.ExposureConfig;
import io.queenmq.server.http.access.Access;
import io.queenmq.server.http.access.Address;
import io.queenmq.server.http.access.Callers;
import io.queenmq.server.http.access.Guard;
import io.queenmq.server.http.access.QueueAccess;
import io.queenmq.server.http.access.QueueRoute;
import io.queenmq.server.http.access.Reach;
import io.queenmq.server.http.message.AckParser;
import io.queenmq.server.http.message.AckRoute;
import io.queenmq.server.http.message.ConfigureRoute;
import io.queenmq.server.http.message.PopRoute;
import io.queenmq.server.http.message.PushRoute;
import io.queenmq.server.http.message.RenewRoute;
import io.queenmq.server.http.message.TransactionRoute;
import io.queenmq.server.http.openapi.OpenApiRoute;
import io.queenmq.server.http.operator.BuffersRoute;
import io.queenmq.server.http.operator.DashboardRoutes;
import io.queenmq.server.http.operator.DeleteQueueRoute;
import io.queenmq.server.http.operator.DocumentRoutes;
import io.queenmq.server.http.operator.HealthRoute;
import io.queenmq.server.http.operator.IdentityRoute;
import io.queenmq.server.http.operator.KeyRoutes;
import io.queenmq.server.http.operator.LogLevelRoute;
import io.queenmq.server.http.operator.LoginRoute;
import io.queenmq.server.http.operator.MaintenanceRoute;
import io.queenmq.server.http.operator.MetricsRoute;
import io.queenmq.server.http.operator.NotifyRoute;
import io.queenmq.server.http.operator.OperatorRoute;
import io.queenmq.server.http.operator.OperatorRoutes;
import io.queenmq.server.http.operator.SharedStateRoute;
import io.queenmq.server.http.operator.SpoolRoutes;
import io.queenmq.server.http.server.BodyRoute;
import io.queenmq.server.http.server.Exchange;
import io.queenmq.server.http.server.RequestMeters.Kind;
import io.queenmq.server.http.server.Route;
import io.queenmq.server.http.server.Router;
import io.queenmq.server.http.stream.CycleRoute;
import io.queenmq.server.http.stream.QueryRoute;
import io.queenmq.server.http.stream.StateRoute;
import io.queenmq.server.operator.OperatorQueries;
import io.vertx.core.Context;
import io.vertx.core.http.HttpMethod;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Adds all routes to the router of one event loop. Owned by that loop. */
final class Routes {
    private static final byte[] NO_BODY = {};

    private final SharedParts parts;
    private final Router router;
    private final Context loop;
    private final MessageIds ids = new MessageIds(Clock.SYSTEM::epochMs);
    /** Null if requests need no credentials. */
    private final @Nullable Guard guard;
    private final List<Address> addresses = new ArrayList<>();

    Routes(SharedParts parts, Router router, Context loop) {
        this.parts = parts;
        this.router = router;
        this.loop = loop;
        Callers callers = parts.context().callers();
        this.guard = callers == null ? null : new Guard(loop, callers);
    }

    /**
     * The parts that the routes of all event loops share. Safe from any thread.
     *
     * @param provider null if the dashboard has no login with OpenID Connect
     */
    record SharedParts(HttpContext context, ExposureConfig exposure, MetricsRoute metrics, QueueAccess access,
            @Nullable OidcProvider provider) {}

    void addAll() {
        addMessageRoutes();
        addStreamRoutes();
        addServerRoutes();
        addOperatorRoutes();
        addPages();
    }

    private void addServerRoutes() {
        Engine engine = parts.context.engine();
        OperatorQueries operatorQueries = parts.context.operatorQueries();
        ServerIdentity identity = parts.context.identity();
        MetricsRoute metrics = parts.metrics;
        HealthRoute health = new HealthRoute(engine, identity, parts.exposure);
        add(GET, HealthRoute.PATH, Access.PUBLIC, Reach.NOTHING, health);
        add(GET, HealthRoute.PUSH_PATH, Access.PUBLIC, Reach.NOTHING, health::handlePush);
        add(GET, HealthRoute.LIVE_PATH, Access.PUBLIC, Reach.NOTHING, health::handleLive);
        add(GET, HealthRoute.READY_PATH, Access.PUBLIC, Reach.NOTHING, health::handlePush);
        add(GET, HealthRoute.STARTUP_PATH, Access.PUBLIC, Reach.NOTHING, health::handleStartup);
        add(GET, MetricsRoute.PROMETHEUS_PATH, Access.READ_ONLY, Reach.SERVER, metrics::handlePrometheus);
        add(GET, MetricsRoute.JSON_PATH, Access.PUBLIC, Reach.SERVER, metrics::handleJson);
        add(GET, OpenApiRoute.PATH, Access.PUBLIC, Reach.NOTHING, new OpenApiRoute(addresses, identity.version()));
        add(GET, IdentityRoute.PATH, Access.READ_ONLY, Reach.NOTHING, new IdentityRoute(guard != null));
        add(GET, BuffersRoute.PATH, Access.READ_ONLY, Reach.SERVER, new BuffersRoute(engine, identity));
        SharedStateRoute sharedState = new SharedStateRoute(engine, operatorQueries);
        add(GET, SharedStateRoute.PATH, Access.ADMIN, Reach.SERVER, sharedState);
        add(GET, SharedStateRoute.STATS_PATH, Access.ADMIN, Reach.SERVER, sharedState);
        add(GET, SharedStateRoute.INSTANCES_PATH, Access.ADMIN, Reach.SERVER, sharedState);
        MaintenanceRoute maintenance = new MaintenanceRoute(engine, operatorQueries);
        add(GET, MaintenanceRoute.PATH, Access.READ_ONLY, Reach.SERVER, maintenance);
        add(POST, MaintenanceRoute.PATH, Access.ADMIN, Reach.SERVER, withBody(null, maintenance));
        SpoolRoutes spool = new SpoolRoutes(engine, operatorQueries);
        add(GET, SpoolRoutes.PATH, Access.ADMIN, Reach.SERVER, spool::show);
        add(POST, SpoolRoutes.RETRY_PATH, Access.ADMIN, Reach.SERVER, withBody(null, spool::retry));
        add(DELETE, SpoolRoutes.REFUSED_PATH, Access.ADMIN, Reach.SERVER, spool::drop);
        LogLevelRoute logLevel = new LogLevelRoute();
        add(GET, LogLevelRoute.PATH, Access.ADMIN, Reach.SERVER, logLevel);
        add(POST, LogLevelRoute.PATH, Access.ADMIN, Reach.SERVER, withBody(null, logLevel));
        add(POST, NotifyRoute.PATH, Access.ADMIN, Reach.SERVER, withBody(null, new NotifyRoute(engine)));
        Callers callers = parts.context.callers();
        KeyRoutes apiKeys = new KeyRoutes(operatorQueries, callers == null ? null : callers.keys());
        add(GET, KeyRoutes.PATH, Access.ADMIN, Reach.SERVER, apiKeys::list);
        add(POST, KeyRoutes.PATH, Access.ADMIN, Reach.SERVER, withBody(null, apiKeys::create));
        add(DELETE, KeyRoutes.KEY_PATH, Access.ADMIN, Reach.SERVER, apiKeys::revoke);
    }

    private void addOperatorRoutes() {
        Engine engine = parts.context.engine();
        OperatorQueries operatorQueries = parts.context.operatorQueries();
        add(DELETE, DeleteQueueRoute.PATH, Access.ADMIN, Reach.request(Right.MANAGE),
                checked(null, new DeleteQueueRoute(engine, operatorQueries)));
        for (OperatorRoute route : OperatorRoutes.all()) {
            add(route.address(), withBody(null,
                    (exchange, body) -> route.handle(exchange, body, parts.access, operatorQueries, engine)));
        }
    }

    private void addPages() {
        add(GET, LoginRoute.PATH, Access.PUBLIC, Reach.NOTHING, new LoginRoute(guard != null, parts.provider));
        new DashboardRoutes(loop.owner(), parts.provider).addTo(router);
        new DocumentRoutes(loop.owner()).addTo(router);
    }

    private void addMessageRoutes() {
        Engine engine = parts.context.engine();
        PopRoute pop = new PopRoute(engine, parts.context.popDefaults(), parts.context.cipher(), parts.access);
        AckRoute ack = new AckRoute(engine);
        add(POST, PushRoute.PATH, Access.READ_WRITE, Reach.request(Right.PUSH),
                checkedBody(Kind.PUSH, new PushRoute(engine, ids)));
        add(GET, PopRoute.QUEUE_PATH, Access.READ_WRITE, Reach.request(Right.POP),
                checked(Kind.POP, pop.of(pop::queue)));
        add(GET, PopRoute.PARTITION_PATH, Access.READ_WRITE, Reach.request(Right.POP),
                checked(Kind.POP, pop.of(pop::partition)));
        add(GET, PopRoute.FILTER_PATH, Access.READ_WRITE, Reach.request(Right.POP),
                checked(Kind.POP, pop.of(pop::filter)));
        add(POST, AckRoute.BATCH_PATH, Access.READ_WRITE, Reach.request(Right.POP),
                checkedBody(Kind.ACK, ack.of(AckParser::parseBatch)));
        add(POST, AckRoute.PATH, Access.READ_WRITE, Reach.request(Right.POP),
                checkedBody(Kind.ACK, ack.of(AckParser::parseOne)));
        add(POST, TransactionRoute.PATH, Access.READ_WRITE, Reach.request(Right.PUSH, Right.POP),
                checkedBody(Kind.TRANSACTION, new TransactionRoute(engine, ids)));
        add(POST, RenewRoute.PATH, Access.READ_WRITE, Reach.request(Right.POP),
                checkedBody(Kind.RENEW, new RenewRoute(engine)));
        add(POST, ConfigureRoute.PATH, Access.READ_WRITE, Reach.request(Right.MANAGE),
                checkedBody(null, new ConfigureRoute(engine)));
    }

    private void addStreamRoutes() {
        Engine engine = parts.context.engine();
        add(POST, QueryRoute.PATH, Access.READ_WRITE, Reach.request(Right.POP, Right.PUSH, Right.MANAGE),
                checkedBody(null, new QueryRoute(engine)));
        add(POST, StateRoute.PATH, Access.READ_ONLY, Reach.request(Right.POP),
                checkedBody(Kind.READ_STATE, new StateRoute(engine)));
        add(POST, CycleRoute.PATH, Access.READ_WRITE, Reach.request(Right.POP, Right.PUSH),
                checkedBody(Kind.CYCLE, new CycleRoute(engine, ids)));
    }

    private void add(HttpMethod method, String path, Access access, Reach reach, Route route) {
        add(new Address(method, path, access, reach), route);
    }

    private void add(Address address, Route route) {
        addresses.add(address);
        router.add(address.method(), address.path(), guard == null ? route : guard.before(route, address));
    }

    /** Returns the addresses of all routes except the pages of the dashboard. */
    List<Address> addresses() {
        return addresses;
    }

    /** Returns a route for requests without a body. */
    private <T> Route checked(@Nullable Kind kind, QueueRoute<T> route) {
        return exchange -> {
            exchange.countAs(kind);
            pass(exchange, route, route.parse(exchange, NO_BODY));
        };
    }

    private <T> Route checkedBody(@Nullable Kind kind, QueueRoute<T> route) {
        return withBody(kind, (exchange, body) -> pass(exchange, route, route.parse(exchange, body)));
    }

    private <T> void pass(Exchange exchange, QueueRoute<T> route, T request) {
        if (exchange.rights() == null) {
            route.handle(exchange, request);
        } else {
            parts.access.check(exchange, route, request);
        }
    }

    /** @param kind operation in the metrics; null if its requests are not counted */
    private Route withBody(@Nullable Kind kind, BodyRoute route) {
        return exchange -> {
            exchange.countAs(kind);
            exchange.readBody(body -> exchange.attempt(() -> route.handle(exchange, body)));
        };
    }
}
