package io.queenmq.server.auth;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Tokens that were accepted a moment ago, because verifying a signature costs more than the rest of a small request.
 * An entry is valid for at most {@link #KEPT_MS}, so that a withdrawn key stops working soon, and only while no token is
 * revoked. Owned by one event loop.
 */
public final class TokenCache {
    private static final int TOKENS_MAX = 4096;
    static final long KEPT_MS = 60_000;

    private final Map<String, Known> tokens = new LinkedHashMap<>(64, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Known> eldest) {
            return size() > TOKENS_MAX;
        }
    };

    /**
     * Returns null when the token must be verified.
     *
     * @param revision of {@link Authenticator#revision}
     */
    public @Nullable Identity find(String token, long nowMs, long revision) {
        Known known = tokens.get(token);
        if (known == null) {
            return null;
        }
        if (nowMs >= known.untilMs || revision != known.revision) {
            tokens.remove(token);
            return null;
        }
        return known.identity;
    }

    /** @param revision read before the token was verified: a revocation may have been loaded since */
    public void add(String token, Identity identity, long nowMs, long revision) {
        tokens.put(token, new Known(identity, Math.min(identity.expiresAtMs(), nowMs + KEPT_MS), revision));
    }

    private record Known(Identity identity, long untilMs, long revision) {}
}
