package io.queenmq.server.http.server;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;

/** Passes each request of one event loop to the route at its address. Answers requests to other addresses. */
public final class Router {
    private final HttpLoop loop;
    private final RouteTree tree = new RouteTree();

    Router(HttpLoop loop) {
        this.loop = loop;
    }

    /** @param path see {@link RouteTree} */
    public void add(HttpMethod method, String path, Route route) {
        tree.add(method, path, route);
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
        if (request.method() != HttpMethod.GET && RequestPath.hasEmptySegment(address)) {
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
            exchange.error(405, request.method() + " is not allowed at " + address + ", but "
                    + String.join(" and ", methods) + " is");
        }
    }
}
