package io.queenmq.server.auth;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Tokens that were found genuine a moment ago, because checking a signature costs more than the rest of a small request.
 * Nobody is remembered for longer than {@link #KEPT_MS}, so that a key that is withdrawn stops working soon.
 * Owned by one event loop.
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

    /** Null when the token is not known to be in force. */
    public Identity find(String token, long nowMs) {
        Known known = tokens.get(token);
        if (known == null) {
            return null;
        }
        if (nowMs >= known.untilMs) {
            tokens.remove(token);
            return null;
        }
        return known.identity;
    }

    public void add(String token, Identity identity, long nowMs) {
        tokens.put(token, new Known(identity, Math.min(identity.expiresAtMs(), nowMs + KEPT_MS)));
    }

    private record Known(Identity identity, long untilMs) {}
}
