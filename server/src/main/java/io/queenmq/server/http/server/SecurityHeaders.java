package io.queenmq.server.http.server;

import io.vertx.core.MultiMap;

/** What browsers are told about things that people open in them. */
final class SecurityHeaders {
    private static final String POLICY = "default-src 'self'; script-src 'self'%s; connect-src 'self'%s; style-src 'self'; "
            + "img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
    private static final String ONE_YEAR = "max-age=31536000";

    private SecurityHeaders() {}

    /** @param isTls whether browsers may be told never to come without it again */
    static void addTo(MultiMap headers, boolean isTls) {
        addTo(headers, isTls, null, null);
    }

    /**
     * @param scriptHash of the one script that may stand in the page itself; null for none
     * @param connectOrigin the one foreign origin that scripts may send requests to; null for none
     */
    static void addTo(MultiMap headers, boolean isTls, String scriptHash, String connectOrigin) {
        headers.set("Content-Security-Policy", POLICY.formatted(source(scriptHash), source(connectOrigin)));
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("X-Frame-Options", "DENY");
        headers.set("Referrer-Policy", "no-referrer");
        headers.set("Cross-Origin-Opener-Policy", "same-origin");
        if (isTls) {
            headers.set("Strict-Transport-Security", ONE_YEAR);
        }
    }

    private static String source(String source) {
        return source == null ? "" : " " + source;
    }
}
