package io.queenmq.server.http.server;

import io.queenmq.server.config.ExposureConfig;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Rejects requests that a browser sends for a web page of a foreign origin. Clients that are not browsers send no Origin and
 * are not affected, except that without tokens the Host header must name a known host (DNS rebinding). Owned by one event loop.
 */
final class BrowserPolicy {
    private static final CharSequence SEC_FETCH_SITE = HttpHeaders.createOptimized("sec-fetch-site");
    private static final CharSequence METHODS = HttpHeaders.createOptimized("GET, POST, PUT, DELETE, OPTIONS");
    private static final CharSequence HEADERS = HttpHeaders.createOptimized("Content-Type, Authorization");
    private static final CharSequence ONE_DAY_S = HttpHeaders.createOptimized("86400");
    private static final String ANY = "*";
    /** Values of Sec-Fetch-Site that name a page of another origin. */
    private static final Set<String> FOREIGN_SITES = Set.of("cross-site", "same-site");
    /** Public DNS never serves names under these suffixes, so that no attacker can point one at this server. */
    private static final List<String> PRIVATE_SUFFIXES = List.of(".localhost", ".local", ".internal", ".svc", ".lan",
            ".home.arpa");

    private final ExposureConfig config;
    private final boolean isAnyOriginAllowed;
    /** The last accepted host. A cache, because nearly all requests of a loop have the same host. */
    private @Nullable String acceptedHost;

    BrowserPolicy(ExposureConfig config) {
        this.config = config;
        this.isAnyOriginAllowed = config.corsOrigins().contains(ANY);
    }

    /** Returns why the request is rejected, or null. Sets the CORS headers of the response if the origin is allowed. */
    @Nullable
    String check(HttpServerRequest request) {
        MultiMap headers = request.headers();
        String host = headers.get(HttpHeaders.HOST);
        if (config.isHostChecked() && !isKnownHost(host)) {
            return "the Host header names \"" + host
                    + "\", which is not an allowed host; add the name to ALLOWED_HOSTS, or require tokens";
        }
        String origin = headers.get(HttpHeaders.ORIGIN);
        if (origin == null) {
            String site = headers.get(SEC_FETCH_SITE);
            return site != null && FOREIGN_SITES.contains(site) && !isAnyOriginAllowed && isApi(request)
                    ? "a page of another origin sent this request; allow its origin in CORS_ORIGINS"
                    : null;
        }
        if (isAllowed(origin)) {
            addCorsHeaders(request, origin);
            return null;
        }
        return isSameOrigin(origin, host) || !isApi(request)
                ? null
                : "requests from the origin " + origin + " are not allowed; add it to CORS_ORIGINS";
    }

    /** Returns true for API requests. Pages and files are public and change no data, so links from other sites are allowed. */
    private static boolean isApi(HttpServerRequest request) {
        String path = request.path();
        return path != null
                && (path.startsWith("/api/") || path.startsWith("/streams/") || path.startsWith("/internal/"));
    }

    private boolean isAllowed(String origin) {
        return isAnyOriginAllowed || config.corsOrigins().contains(origin);
    }

    private void addCorsHeaders(HttpServerRequest request, String origin) {
        MultiMap headers = request.response().headers();
        headers.set(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN, isAnyOriginAllowed ? ANY : origin);
        headers.set(HttpHeaders.ACCESS_CONTROL_ALLOW_METHODS, METHODS);
        headers.set(HttpHeaders.ACCESS_CONTROL_ALLOW_HEADERS, HEADERS);
        headers.set(HttpHeaders.ACCESS_CONTROL_MAX_AGE, ONE_DAY_S);
        headers.set(HttpHeaders.VARY, HttpHeaders.ORIGIN);
    }

    /** The scheme is not compared: a proxy in front of this server may add TLS. */
    static boolean isSameOrigin(String origin, String host) {
        int scheme = origin.indexOf("://");
        return scheme > 0 && host != null
                && withoutDefaultPort(origin.substring(scheme + 3)).equalsIgnoreCase(withoutDefaultPort(host));
    }

    private static String withoutDefaultPort(String authority) {
        return authority.endsWith(":80")
                ? authority.substring(0, authority.length() - 3)
                : authority.endsWith(":443") ? authority.substring(0, authority.length() - 4) : authority;
    }

    private boolean isKnownHost(String host) {
        if (host == null || host.equals(acceptedHost)) {
            return true;
        }
        String name = nameOf(host);
        boolean isKnown = config.allowedHosts().contains(name) || isPrivate(name);
        if (isKnown) {
            acceptedHost = host;
        }
        return isKnown;
    }

    /** Returns true for an address and for a name that no public DNS server resolves. */
    private static boolean isPrivate(String name) {
        return name.startsWith("[") || name.indexOf('.') < 0 || isIpv4(name)
                || PRIVATE_SUFFIXES.stream().anyMatch(name::endsWith);
    }

    private static boolean isIpv4(String name) {
        String[] parts = name.split("\\.", -1);
        if (parts.length != 4) {
            return false;
        }
        for (String part : parts) {
            if (part.isEmpty() || part.length() > 3 || !part.chars().allMatch(c -> c >= '0' && c <= '9')) {
                return false;
            }
        }
        return true;
    }

    /** Returns the host in lower case, without the port and without the dot of a fully qualified name. */
    private static String nameOf(String host) {
        int colon = host.startsWith("[") ? host.indexOf(':', Math.max(0, host.indexOf(']'))) : host.indexOf(':');
        String name = (colon < 0 ? host : host.substring(0, colon)).toLowerCase(Locale.ROOT);
        return name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
    }
}
