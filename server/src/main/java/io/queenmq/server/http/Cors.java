package io.queenmq.server.http;

import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;

/** Lets pages of any origin call the API. */
final class Cors {
    private static final CharSequence ANY = HttpHeaders.createOptimized("*");
    private static final CharSequence METHODS = HttpHeaders.createOptimized("GET, POST, PUT, DELETE, OPTIONS");
    private static final CharSequence HEADERS = HttpHeaders.createOptimized("Content-Type, Authorization");
    private static final CharSequence ONE_DAY_S = HttpHeaders.createOptimized("86400");

    private Cors() {}

    static void addTo(MultiMap headers) {
        headers.set(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN, ANY);
        headers.set(HttpHeaders.ACCESS_CONTROL_ALLOW_METHODS, METHODS);
        headers.set(HttpHeaders.ACCESS_CONTROL_ALLOW_HEADERS, HEADERS);
    }

    /** The answer to a question about what is allowed may be remembered. */
    static void addMaxAgeTo(MultiMap headers) {
        headers.set(HttpHeaders.ACCESS_CONTROL_MAX_AGE, ONE_DAY_S);
    }
}
