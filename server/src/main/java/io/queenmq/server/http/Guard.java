package io.queenmq.server.http;

import io.queenmq.server.auth.Authenticator;
import io.queenmq.server.auth.Identity;
import io.queenmq.server.auth.TokenCache;
import io.queenmq.server.auth.Verdict;
import io.queenmq.server.time.Clock;
import io.vertx.core.Context;
import io.vertx.core.http.HttpHeaders;
import java.util.List;

/** Stands before every route that is not public, and lets pass who may. Owned by one event loop. */
final class Guard {
    private static final String PREFIX = "bearer ";

    private final Context context;
    private final Authenticator authenticator;
    private final List<String> skipPaths;
    private final TokenCache cache = new TokenCache();

    Guard(Context context, Authenticator authenticator) {
        this.context = context;
        this.authenticator = authenticator;
        this.skipPaths = authenticator.skipPaths();
    }

    Route before(Route route, Access access) {
        return access == Access.PUBLIC ? route : exchange -> check(exchange, access, route);
    }

    private void check(Exchange exchange, Access access, Route route) {
        if (isSkipped(exchange.request().path())) {
            route.handle(exchange);
            return;
        }
        String token = token(exchange);
        if (token == null) {
            refuse(exchange, 401, "a token is needed, in the header Authorization: Bearer …");
            return;
        }
        long nowMs = Clock.SYSTEM.epochMs();
        Identity known = cache.find(token, nowMs);
        if (known != null) {
            pass(exchange, access, route, known);
            return;
        }
        Verdict verdict = authenticator.verify(token, nowMs);
        if (verdict instanceof Verdict.UnknownKey) {
            // The body must wait, because nobody listens to it yet.
            exchange.request().pause();
            authenticator.lookAgain().whenComplete((_, _) -> context.runOnContext(_ -> {
                exchange.request().resume();
                exchange.attempt(
                        () -> decide(exchange, access, route, token, authenticator.verify(token, nowMs)));
            }));
        } else {
            decide(exchange, access, route, token, verdict);
        }
    }

    private void decide(Exchange exchange, Access access, Route route, String token,
            Verdict verdict) {
        switch (verdict) {
            case Verdict.Accepted(Identity identity) -> {
                cache.add(token, identity, Clock.SYSTEM.epochMs());
                pass(exchange, access, route, identity);
            }
            case Verdict.Refused(String reason) -> refuse(exchange, 401, reason);
            case Verdict.UnknownKey _ -> refuse(exchange, 401, "the token is signed with an unknown key");
            case Verdict.Unavailable _ ->
                refuse(exchange, 500, "tokens cannot be checked, because the published keys cannot be fetched");
        }
    }

    private void pass(Exchange exchange, Access access, Route route, Identity identity) {
        if (access.isOpenTo(identity.role())) {
            exchange.by(identity);
            route.handle(exchange);
        } else {
            refuse(exchange, 403, "the token does not allow this: " + access.inWords() + " access is needed");
        }
    }

    private void refuse(Exchange exchange, int status, String reason) {
        if (status == 401) {
            exchange.request().response().putHeader("WWW-Authenticate", "Bearer");
        }
        exchange.error(status, reason);
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
