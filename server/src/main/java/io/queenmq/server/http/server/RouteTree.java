package io.queenmq.server.http.server;

import io.vertx.core.http.HttpMethod;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A tree of routes by path segments. The time to find a route does not depend on the number of routes. In the path of a route,
 * {@code :name} matches any non-empty segment, and {@code *} at the end matches all remaining segments. A fixed segment takes
 * precedence over {@code :name}, and {@code :name} over {@code *}.
 */
final class RouteTree {
    private static final String REST = "*";
    private static final List<HttpMethod> METHODS = List.of(HttpMethod.GET, HttpMethod.POST, HttpMethod.DELETE);

    private final Node root = new Node();

    void add(HttpMethod method, String path, Route route) {
        Node node = root;
        for (String segment : RequestPath.of(path).segments()) {
            node = node.child(segment);
        }
        node.routes.put(method, route);
    }

    /** @return null if there is none */
    @Nullable
    Route find(HttpMethod method, RequestPath path) {
        return find(root, method, path.segments(), 0);
    }

    /** Returns the methods for which this path has routes. */
    List<String> methods(RequestPath path) {
        return METHODS.stream().filter(method -> find(method, path) != null).map(HttpMethod::name).toList();
    }

    private static @Nullable Route find(Node node, HttpMethod method, String[] segments, int at) {
        if (at == segments.length) {
            return node.route(method);
        }
        String segment = segments[at];
        Node written = node.children.get(segment);
        Route route = written == null ? null : find(written, method, segments, at + 1);
        if (route == null && node.any != null && !segment.isEmpty()) {
            route = find(node.any, method, segments, at + 1);
        }
        if (route == null && node.rest != null) {
            route = node.rest.route(method);
        }
        return route;
    }

    /** The routes whose paths have the same first segments. */
    private static final class Node {
        private final Map<String, Node> children = new HashMap<>();
        private final Map<HttpMethod, Route> routes = new HashMap<>();
        private @Nullable Node any;
        private @Nullable Node rest;

        private Node child(String segment) {
            if (segment.startsWith(":")) {
                any = any == null ? new Node() : any;
                return any;
            }
            if (segment.equals(REST)) {
                rest = rest == null ? new Node() : rest;
                return rest;
            }
            return children.computeIfAbsent(segment, _ -> new Node());
        }

        private @Nullable Route route(HttpMethod method) {
            return routes.get(method);
        }
    }
}
