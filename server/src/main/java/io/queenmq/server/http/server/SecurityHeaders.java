package io.queenmq.server.http.server;

import io.vertx.core.MultiMap;
import org.jspecify.annotations.Nullable;

/** Adds the security headers of pages that users open in a browser. */
final class SecurityHeaders {
    private static final String POLICY = "default-src 'self'; script-src 'self'%s; connect-src 'self'%s; style-src 'self'; "
            + "img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
    private static final String ONE_YEAR = "max-age=31536000";

    private SecurityHeaders() {}

    /** @param isTls true to require TLS for all later requests (HSTS) */
    static void addTo(MultiMap headers, boolean isTls) {
        addTo(headers, isTls, null, null);
    }

    /**
     * @param scriptHash hash of the only allowed inline script; null for none
     * @param connectOrigin the only foreign origin to which scripts may send requests; null for none
     */
    static void addTo(MultiMap headers, boolean isTls, @Nullable String scriptHash, @Nullable String connectOrigin) {
        headers.set("Content-Security-Policy", POLICY.formatted(source(scriptHash), source(connectOrigin)));
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("X-Frame-Options", "DENY");
        headers.set("Referrer-Policy", "no-referrer");
        headers.set("Cross-Origin-Opener-Policy", "same-origin");
        if (isTls) {
            headers.set("Strict-Transport-Security", ONE_YEAR);
        }
    }

    private static String source(@Nullable String source) {
        return source == null ? "" : " " + source;
    }
}
