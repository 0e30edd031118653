package io.queenmq.server.http.access;

import io.queenmq.engine.time.Clock;
import io.queenmq.server.auth.ApiKey;
import io.queenmq.server.auth.Authenticator;
import io.queenmq.server.auth.Identity;
import io.queenmq.server.auth.Rejection;
import io.queenmq.server.auth.Rejections;
import io.queenmq.server.auth.TokenCache;
import io.queenmq.server.auth.Verdict;
import io.queenmq.server.http.server.Exchange;
import io.queenmq.server.http.server.Route;
import io.queenmq.server.keys.ApiKeys;
import io.queenmq.server.keys.KeyVerdict;
import io.vertx.core.Context;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Authenticates requests before every route that is not public, and rejects those without the needed access. Owned by one
 * event loop.
 */
public final class Guard {
    private static final String PREFIX = "bearer ";
    private static final String RETRY_AFTER = "Retry-After";
    /** Time after which a failed fetch of the published keys is retried. */
    private static final long UNAVAILABLE_SECONDS = 5;

    private final Context context;
    private final Authenticator authenticator;
    private final @Nullable ApiKeys keys;
    private final Rejections rejections;
    private final List<String> skipPaths;
    private final TokenCache cache = new TokenCache();

    public Guard(Context context, Callers callers) {
        this.context = context;
        this.authenticator = callers.tokens();
        this.keys = callers.keys();
        this.rejections = authenticator.rejections();
        this.skipPaths = authenticator.skipPaths();
    }

    public Route before(Route route, Address address) {
        return address.access() == Access.PUBLIC ? route : exchange -> check(exchange, address, route);
    }

    private void check(Exchange exchange, Address address, Route route) {
        if (isSkipped(exchange.rawPath())) {
            route.handle(exchange);
            return;
        }
        String token = token(exchange);
        if (token == null) {
            refuse(exchange, address, null, Rejection.NO_TOKEN);
            return;
        }
        long nowMs = Clock.SYSTEM.epochMs();
        if (keys != null && token.startsWith(ApiKey.PREFIX)) {
            checkKey(exchange, address, route, token, keys.verify(token, nowMs));
            return;
        }
        long revision = authenticator.revision();
        Identity known = cache.find(token, nowMs, revision);
        if (known != null) {
            pass(exchange, address, route, known);
            return;
        }
        if (isBlocked(exchange, address, token)) {
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

    /** Answers 429 if the address is blocked because it sent too many invalid tokens or keys. Returns true in that case. */
    private boolean isBlocked(Exchange exchange, Address address, String token) {
        long blockedSeconds = rejections.blockedSeconds(exchange.clientAddress(), token);
        if (blockedSeconds > 0) {
            exchange.request().response().putHeader(RETRY_AFTER, Long.toString(blockedSeconds));
            refuse(exchange, address, token, Rejection.BLOCKED);
        }
        return blockedSeconds > 0;
    }

    /**
     * Keys are not cached here, so that a revoked key is rejected immediately. A valid key is accepted from a blocked
     * address, too.
     */
    private void checkKey(Exchange exchange, Address address, Route route, String key, KeyVerdict verdict) {
        switch (verdict) {
            case KeyVerdict.Accepted(Identity identity) -> pass(exchange, address, route, identity);
            case KeyVerdict.Unavailable _ -> refuse(exchange, address, key, Rejection.UNAVAILABLE);
            case KeyVerdict.Rejected _ -> {
                if (!isBlocked(exchange, address, key)) {
                    refuse(exchange, address, key, Rejection.API_KEY);
                }
            }
        }
    }

    /** An unknown signing key is an error of the token only if the current keys could be fetched. */
    private static Verdict settled(Verdict verdict, boolean isFresh) {
        return verdict instanceof Verdict.UnknownKey && !isFresh ? new Verdict.Refused(Rejection.UNAVAILABLE) : verdict;
    }

    private void decide(Exchange exchange, Address address, Route route, String token, long revision, Verdict verdict) {
        switch (verdict) {
            case Verdict.Accepted(Identity identity) -> {
                rejections.accepted(token);
                cache.add(token, identity, Clock.SYSTEM.epochMs(), revision);
                pass(exchange, address, route, identity);
            }
            case Verdict.Refused(Rejection reason) -> refuse(exchange, address, token, reason);
            case Verdict.UnknownKey _ -> refuse(exchange, address, token, Rejection.UNKNOWN_KEY);
        }
    }

    private void pass(Exchange exchange, Address address, Route route, Identity identity) {
        exchange.setCaller(identity, () -> note(exchange, address, null, identity.subject(), Rejection.FORBIDDEN, 403));
        if (address.reach().isOpenTo(identity, address.access())) {
            route.handle(exchange);
        } else {
            exchange.forbid(Rejection.FORBIDDEN.because(address.reach().lacking(identity, address.access())));
        }
    }

    private void refuse(Exchange exchange, Address address, @Nullable String token, Rejection reason) {
        int status = switch (reason) {
            case BLOCKED -> 429;
            case UNAVAILABLE -> 503;
            default -> 401;
        };
        note(exchange, address, token, null, reason, status);
        if (status == 401) {
            exchange.request().response().putHeader("WWW-Authenticate", "Bearer");
        } else if (status == 503) {
            exchange.request().response().putHeader(RETRY_AFTER, Long.toString(UNAVAILABLE_SECONDS));
        }
        exchange.error(status, reason.message());
    }

    /** Counts and logs the rejection, and records it if it is about an operator action. */
    private void note(Exchange exchange, Address address, @Nullable String token, @Nullable String actor,
            Rejection reason, int status) {
        rejections.rejected(reason, exchange.clientAddress(), token);
        if (isOperatorAction(address, status)) {
            rejections.rejectedAction(reason, exchange.clientAddress(), actor, address.toString(), exchange.rawPath());
        }
    }

    /**
     * Returns true if the audit log records the rejection. Rejections without a valid token are recorded for administrator
     * routes only.
     */
    private static boolean isOperatorAction(Address address, int status) {
        boolean isAdmin = address.access() == Access.ADMIN;
        return status == 401 && isAdmin || status == 403 && (isAdmin || address.method() != HttpMethod.GET);
    }

    private static @Nullable String token(Exchange exchange) {
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
