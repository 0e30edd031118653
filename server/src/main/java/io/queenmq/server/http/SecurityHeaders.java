package io.queenmq.server.http;

import io.vertx.core.MultiMap;

/** What browsers are told about things that people open in them. */
final class SecurityHeaders {
    private static final String POLICY = "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; "
            + "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
    private static final String ONE_YEAR = "max-age=31536000";

    private SecurityHeaders() {}

    /** @param isTls whether browsers may be told never to come without it again */
    static void addTo(MultiMap headers, boolean isTls) {
        headers.set("Content-Security-Policy", POLICY);
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("X-Frame-Options", "DENY");
        headers.set("Referrer-Policy", "no-referrer");
        headers.set("Cross-Origin-Opener-Policy", "same-origin");
        if (isTls) {
            headers.set("Strict-Transport-Security", ONE_YEAR);
        }
    }
}
