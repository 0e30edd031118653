package io.queenmq.server.http;

import static io.vertx.core.http.HttpMethod.DELETE;
import static io.vertx.core.http.HttpMethod.GET;
import static io.vertx.core.http.HttpMethod.POST;

import io.queenmq.engine.Engine;
import io.queenmq.engine.cipher.PayloadCipher;
import io.queenmq.engine.numbers.ServerIdentity;
import io.queenmq.engine.push.MessageIds;
import io.queenmq.server.auth.OidcProvider;
import io.queenmq.server.auth.Right;
import io.queenmq.server.config.ExposureConfig;
import io.queenmq.server.config.PopConfig;
import io.queenmq.server.http.RequestMeters.Kind;
import io.queenmq.server.keys.ApiKeys;
import io.queenmq.server.operator.OperatorDesk;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.ArrayList;
import java.util.List;

/** The map from addresses to routes, one for each event loop. */
final class Routes {
    private static final byte[] NO_BODY = {};

    private final HttpLoop loop;
    private final Guard guard;
    private final QueueAccess access;
    private final List<Address> addresses = new ArrayList<>();
    private final RouteTree tree = new RouteTree();

    /** @param guard null when everybody may do everything */
    Routes(HttpLoop loop, Guard guard, QueueAccess access) {
        this.guard = guard;
        this.access = access;
        this.loop = loop;
    }

    void addAll(Engine engine, OperatorDesk desk, PopConfig popDefaults, MessageIds ids,
            ServerIdentity identity, MetricsRoute metrics, PayloadCipher cipher, ExposureConfig exposure,
            ApiKeys keys) {
        addQueueRoutes(engine, popDefaults, ids, cipher);
        HealthRoute health = new HealthRoute(engine, identity, exposure);
        add(GET, HealthRoute.PATH, Access.PUBLIC, Reach.NOTHING, health);
        add(GET, HealthRoute.PUSH_PATH, Access.PUBLIC, Reach.NOTHING, health::handlePush);
        add(GET, MetricsRoute.PROMETHEUS_PATH, Access.READ_ONLY, Reach.SERVER, metrics::handlePrometheus);
        add(GET, MetricsRoute.JSON_PATH, Access.PUBLIC, Reach.SERVER, metrics::handleJson);
        add(GET, OpenApiRoute.PATH, Access.PUBLIC, Reach.NOTHING, new OpenApiRoute(addresses, identity.version()));
        add(GET, IdentityRoute.PATH, Access.READ_ONLY, Reach.NOTHING, new IdentityRoute(guard != null));
        add(GET, BuffersRoute.PATH, Access.READ_ONLY, Reach.SERVER, new BuffersRoute(engine, identity));
        SharedStateRoute sharedState = new SharedStateRoute(engine, desk);
        add(GET, SharedStateRoute.PATH, Access.ADMIN, Reach.SERVER, sharedState);
        add(GET, SharedStateRoute.STATS_PATH, Access.ADMIN, Reach.SERVER, sharedState);
        add(GET, SharedStateRoute.INSTANCES_PATH, Access.ADMIN, Reach.SERVER, sharedState);
        MaintenanceRoute maintenance = new MaintenanceRoute(engine, desk);
        add(GET, MaintenanceRoute.PATH, Access.READ_ONLY, Reach.SERVER, maintenance);
        add(POST, MaintenanceRoute.PATH, Access.ADMIN, Reach.SERVER, withBody(null, maintenance));
        SpoolRoutes spool = new SpoolRoutes(engine, desk);
        add(GET, SpoolRoutes.PATH, Access.ADMIN, Reach.SERVER, spool::show);
        add(POST, SpoolRoutes.RETRY_PATH, Access.ADMIN, Reach.SERVER, withBody(null, spool::putBack));
        add(DELETE, SpoolRoutes.REFUSED_PATH, Access.ADMIN, Reach.SERVER, spool::drop);
        add(POST, NotifyRoute.PATH, Access.ADMIN, Reach.SERVER, withBody(null, new NotifyRoute(engine)));
        add(DELETE, DeleteQueueRoute.PATH, Access.ADMIN, Reach.request(Right.MANAGE),
                checked(null, new DeleteQueueRoute(engine, desk)));
        KeyRoutes apiKeys = new KeyRoutes(desk, keys);
        add(GET, KeyRoutes.PATH, Access.ADMIN, Reach.SERVER, apiKeys::list);
        add(POST, KeyRoutes.PATH, Access.ADMIN, Reach.SERVER, withBody(null, apiKeys::create));
        add(DELETE, KeyRoutes.KEY_PATH, Access.ADMIN, Reach.SERVER, apiKeys::revoke);
        for (OperatorRoute route : OperatorRoutes.all()) {
            add(new Address(route.method(), route.path(), route.access(), route.reach(), route.parameters()),
                    withBody(null, (exchange, body) -> route.handle(exchange, body, access, desk, engine)));
        }
    }

    /** @param provider null if the dashboard has no login with OpenID Connect */
    void addPages(Vertx vertx, OidcProvider provider) {
        add(GET, LoginRoute.PATH, Access.PUBLIC, Reach.NOTHING, new LoginRoute(guard != null, provider));
        new DashboardRoutes(vertx, provider).addTo(tree);
    }

    private void addQueueRoutes(Engine engine, PopConfig popDefaults, MessageIds ids, PayloadCipher cipher) {
        PopRoute pop = new PopRoute(engine, popDefaults, cipher, access);
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
        add(POST, QueryRoute.PATH, Access.READ_WRITE, Reach.request(Right.POP, Right.PUSH, Right.MANAGE),
                checkedBody(null, new QueryRoute(engine)));
        add(POST, StateRoute.PATH, Access.READ_ONLY, Reach.request(Right.POP),
                checkedBody(Kind.READ_STATE, new StateRoute(engine)));
        add(POST, CycleRoute.PATH, Access.READ_WRITE, Reach.request(Right.POP, Right.PUSH),
                checkedBody(Kind.CYCLE, new CycleRoute(engine, ids)));
        add(POST, RenewRoute.PATH, Access.READ_WRITE, Reach.request(Right.POP),
                checkedBody(Kind.RENEW, new RenewRoute(engine)));
        add(POST, ConfigureRoute.PATH, Access.READ_WRITE, Reach.request(Right.MANAGE),
                checkedBody(null, new ConfigureRoute(engine)));
    }

    void handle(HttpServerRequest request) {
        String address = request.path();
        if (address == null || !address.startsWith("/")) {
            new Exchange(loop, request, RequestPath.ROOT).error(400, "the request has no path");
            return;
        }
        RequestPath path = RequestPath.of(address);
        Exchange exchange = new Exchange(loop, request, path);
        if (path.hasDots()) {
            exchange.error(404, "there is nothing at " + address + ": a path must not contain the segments . and ..");
            return;
        }
        if (request.method() != GET && RequestPath.hasEmptySegment(address)) {
            exchange.error(404, "there is nothing at " + address + ", which has an empty segment");
            return;
        }
        Route route = tree.find(request.method(), path);
        if (route != null) {
            exchange.attempt(() -> route.handle(exchange));
            return;
        }
        List<String> methods = tree.methods(path);
        if (methods.isEmpty()) {
            exchange.error(404, "there is nothing at " + address);
        } else {
            request.response().putHeader(HttpHeaders.ALLOW, String.join(", ", methods));
            exchange.error(405,
                    request.method() + " is not known at " + address + ", but " + String.join(" and ", methods)
                            + " is");
        }
    }

    private void add(HttpMethod method, String path, Access access, Reach reach, Route route) {
        add(new Address(method, path, access, reach, List.of()), route);
    }

    private void add(Address address, Route route) {
        addresses.add(address);
        tree.add(address.method, address.path, guard == null ? route : guard.before(route, address));
    }

    /** Every route there is, for whoever guards or describes them. */
    List<Address> addresses() {
        return addresses;
    }

    /** @param parameters those of a route for operators; the others read their requests themselves */
    record Address(HttpMethod method, String path, Access access, Reach reach, List<Parameter> parameters) {
        @Override
        public String toString() {
            return method + " " + path;
        }
    }

    /** A route for requests without a body. */
    private <T> Route checked(Kind kind, QueueRoute<T> route) {
        return exchange -> {
            exchange.as(kind);
            pass(exchange, route, route.parse(exchange, NO_BODY));
        };
    }

    private <T> Route checkedBody(Kind kind, QueueRoute<T> route) {
        return withBody(kind, (exchange, body) -> pass(exchange, route, route.parse(exchange, body)));
    }

    private <T> void pass(Exchange exchange, QueueRoute<T> route, T request) {
        if (exchange.rights() == null) {
            route.handle(exchange, request);
        } else {
            access.check(exchange, route, request);
        }
    }

    /** @param kind what its requests are counted as; null for none */
    private Route withBody(Kind kind, BodyRoute route) {
        return exchange -> {
            exchange.as(kind);
            BodyReader.read(exchange, loop, body -> exchange.attempt(() -> route.handle(exchange, body)));
        };
    }
}
