package io.queenmq.server.http;

import io.queenmq.server.auth.Authenticator;
import io.queenmq.server.auth.Identity;
import io.queenmq.server.auth.Rejection;
import io.queenmq.server.auth.Rejections;
import io.queenmq.server.auth.TokenCache;
import io.queenmq.server.auth.Verdict;
import io.queenmq.server.http.Routes.Address;
import io.queenmq.server.time.Clock;
import io.vertx.core.Context;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import java.util.List;

/** Authenticates requests before every route that is not public, and rejects those without the needed access. Owned by one event loop. */
final class Guard {
    private static final String PREFIX = "bearer ";
    private static final String RETRY_AFTER = "Retry-After";
    /** A fetch of the published keys that failed is repeated after this time. */
    private static final long UNAVAILABLE_SECONDS = 5;

    private final Context context;
    private final Authenticator authenticator;
    private final Rejections rejections;
    private final List<String> skipPaths;
    private final TokenCache cache = new TokenCache();

    Guard(Context context, Authenticator authenticator) {
        this.context = context;
        this.authenticator = authenticator;
        this.rejections = authenticator.rejections();
        this.skipPaths = authenticator.skipPaths();
    }

    Route before(Route route, Address address) {
        return address.access() == Access.PUBLIC ? route : exchange -> check(exchange, address, route);
    }

    private void check(Exchange exchange, Address address, Route route) {
        if (isSkipped(exchange.request().path())) {
            route.handle(exchange);
            return;
        }
        String token = token(exchange);
        if (token == null) {
            refuse(exchange, address, null, null, Rejection.NO_TOKEN);
            return;
        }
        long nowMs = Clock.SYSTEM.epochMs();
        long revision = authenticator.revision();
        Identity known = cache.find(token, nowMs, revision);
        if (known != null) {
            pass(exchange, address, route, known);
            return;
        }
        long blockedSeconds = rejections.blockedSeconds(exchange.clientAddress(), token);
        if (blockedSeconds > 0) {
            exchange.request().response().putHeader(RETRY_AFTER, Long.toString(blockedSeconds));
            refuse(exchange, address, token, null, Rejection.BLOCKED);
            return;
        }
        Verdict verdict = authenticator.verify(token, nowMs);
        if (verdict instanceof Verdict.UnknownKey) {
            // Nothing reads the body until the keys are fetched.
            exchange.request().pause();
            authenticator.refreshKeys().whenComplete((isFresh, _) -> context.runOnContext(_ -> {
                exchange.request().resume();
                exchange.attempt(() -> decide(exchange, address, route, token, revision,
                        settled(authenticator.verify(token, Clock.SYSTEM.epochMs()), isFresh)));
            }));
        } else {
            decide(exchange, address, route, token, revision, verdict);
        }
    }

    /** A key that is still unknown is wrong only if the current keys are known. */
    private static Verdict settled(Verdict verdict, boolean isFresh) {
        return verdict instanceof Verdict.UnknownKey && !isFresh
                ? new Verdict.Refused(Rejection.UNAVAILABLE)
                : verdict;
    }

    private void decide(Exchange exchange, Address address, Route route, String token, long revision, Verdict verdict) {
        switch (verdict) {
            case Verdict.Accepted(Identity identity) -> {
                rejections.accepted(token);
                cache.add(token, identity, Clock.SYSTEM.epochMs(), revision);
                pass(exchange, address, route, identity);
            }
            case Verdict.Refused(Rejection reason) -> refuse(exchange, address, token, null, reason);
            case Verdict.UnknownKey _ -> refuse(exchange, address, token, null, Rejection.UNKNOWN_KEY);
        }
    }

    private void pass(Exchange exchange, Address address, Route route, Identity identity) {
        if (address.access().isOpenTo(identity.role())) {
            exchange.by(identity);
            route.handle(exchange);
        } else {
            refuse(exchange, address, null, identity.subject(), Rejection.FORBIDDEN);
        }
    }

    private void refuse(Exchange exchange, Address address, String token, String actor, Rejection reason) {
        rejections.rejected(reason, exchange.clientAddress(), token);
        int status = switch (reason) {
            case FORBIDDEN -> 403;
            case BLOCKED -> 429;
            case UNAVAILABLE -> 503;
            default -> 401;
        };
        if (isOperatorAction(address, status)) {
            rejections.rejectedAction(reason, exchange.clientAddress(), actor, address.toString(),
                    exchange.request().path());
        }
        if (status == 401) {
            exchange.request().response().putHeader("WWW-Authenticate", "Bearer");
        } else if (status == 503) {
            exchange.request().response().putHeader(RETRY_AFTER, Long.toString(UNAVAILABLE_SECONDS));
        }
        exchange.error(status, status == 403
                ? reason.message() + ": " + address.access().inWords() + " access is needed"
                : reason.message());
    }

    /** Rejections that the audit log records: without a valid token only those of administrators' routes. */
    private static boolean isOperatorAction(Address address, int status) {
        boolean isAdmin = address.access() == Access.ADMIN;
        return status == 401 && isAdmin || status == 403 && (isAdmin || address.method() != HttpMethod.GET);
    }

    private static String token(Exchange exchange) {
        String header = exchange.request().getHeader(HttpHeaders.AUTHORIZATION);
        if (header == null) {
            return null;
        }
        String text = header.strip();
        String token = text.regionMatches(true, 0, PREFIX, 0, PREFIX.length())
                ? text.substring(PREFIX.length()).strip()
                : text;
        return token.isEmpty() ? null : token;
    }

    private boolean isSkipped(String path) {
        for (String skip : skipPaths) {
            if (path.equals(skip) || skip.length() > 1 && skip.endsWith("/") && path.startsWith(skip)) {
                return true;
            }
        }
        return false;
    }
}
