package io.queenmq.server.http.access;

import io.vertx.core.http.HttpMethod;

/** The method and the path of a route, with the access that a caller needs to use it. */
public record Address(HttpMethod method, String path, Access access, Reach reach) {
    @Override
    public String toString() {
        return method + " " + path;
    }
}
