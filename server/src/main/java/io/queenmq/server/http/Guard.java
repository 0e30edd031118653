package io.queenmq.server.http;

import io.queenmq.server.auth.Authenticator;
import io.queenmq.server.auth.Identity;
import io.queenmq.server.auth.Role;
import io.queenmq.server.auth.TokenCache;
import io.queenmq.server.auth.Verdict;
import io.vertx.core.Context;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.util.List;

/** Stands before every route that is not public, and lets pass who may. Owned by one event loop. */
final class Guard {
    private static final String ACTOR = "actor";
    private static final String ROLE = "role";
    private static final String PREFIX = "bearer ";

    private final HttpLoop loop;
    private final Context context;
    private final Authenticator authenticator;
    private final List<String> skipPaths;
    private final TokenCache cache = new TokenCache();

    Guard(HttpLoop loop, Context context, Authenticator authenticator) {
        this.loop = loop;
        this.context = context;
        this.authenticator = authenticator;
        this.skipPaths = authenticator.skipPaths();
    }

    Handler<RoutingContext> before(Handler<RoutingContext> route, Access access) {
        return access == Access.PUBLIC ? route : request -> check(request, access, route);
    }

    /** Who asks; null when nobody asked them. */
    static String actorOf(RoutingContext request) {
        return request.get(ACTOR);
    }

    /** What they may do; everything where nobody asked them. */
    static Role roleOf(RoutingContext request) {
        Role role = request.get(ROLE);
        return role == null ? Role.ADMIN : role;
    }

    private void check(RoutingContext request, Access access, Handler<RoutingContext> route) {
        if (isSkipped(request.normalizedPath())) {
            route.handle(request);
            return;
        }
        String token = token(request);
        if (token == null) {
            refuse(request, 401, "a token is needed, in the header Authorization: Bearer …");
            return;
        }
        long nowMs = System.currentTimeMillis();
        Identity known = cache.find(token, nowMs);
        if (known != null) {
            pass(request, access, route, known);
            return;
        }
        Verdict verdict = authenticator.verify(token, nowMs);
        if (verdict instanceof Verdict.UnknownKey) {
            // The body must wait, because nobody listens to it yet.
            request.request().pause();
            authenticator.lookAgain().whenComplete((_, _) -> context.runOnContext(_ -> {
                request.request().resume();
                decide(request, access, route, token, authenticator.verify(token, nowMs));
            }));
        } else {
            decide(request, access, route, token, verdict);
        }
    }

    private void decide(RoutingContext request, Access access, Handler<RoutingContext> route, String token,
            Verdict verdict) {
        switch (verdict) {
            case Verdict.Accepted(Identity identity) -> {
                cache.add(token, identity, System.currentTimeMillis());
                pass(request, access, route, identity);
            }
            case Verdict.Refused(String reason) -> refuse(request, 401, reason);
            case Verdict.UnknownKey _ -> refuse(request, 401, "the token is signed with an unknown key");
            case Verdict.Unavailable _ ->
                refuse(request, 500, "tokens cannot be checked, because the published keys cannot be fetched");
        }
    }

    private void pass(RoutingContext request, Access access, Handler<RoutingContext> route, Identity identity) {
        if (access.isOpenTo(identity.role())) {
            request.put(ACTOR, identity.subject());
            request.put(ROLE, identity.role());
            route.handle(request);
        } else {
            refuse(request, 403, "the token does not allow this: " + access.inWords() + " access is needed");
        }
    }

    private void refuse(RoutingContext request, int status, String reason) {
        if (status == 401) {
            request.response().putHeader("WWW-Authenticate", "Bearer");
        }
        new Exchange(loop, request.request()).error(status, reason);
    }

    private static String token(RoutingContext request) {
        String header = request.request().getHeader(HttpHeaders.AUTHORIZATION);
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
