package io.queenmq.server.auth;

import org.jspecify.annotations.Nullable;

/**
 * A caller with a genuine token or API key.
 *
 * @param subject the subject; null if the token has none
 * @param role {@link Role#NONE} if the token or key has no role
 * @param rights rights on queues; null if only the role decides
 * @param expiresAtMs time until which the token or key is accepted, including the allowed clock skew
 * @param key the API key; null for a token
 */
public record Identity(@Nullable String subject, Role role, @Nullable Rights rights, long expiresAtMs,
        @Nullable ApiKey key) {
    /** Creates the identity of a token without rights on queues. */
    public Identity(String subject, Role role, long expiresAtMs) {
        this(subject, role, null, expiresAtMs, null);
    }

    /** Creates the identity of a token. */
    public Identity(@Nullable String subject, Role role, @Nullable Rights rights, long expiresAtMs) {
        this(subject, role, rights, expiresAtMs, null);
    }

    /** Returns false if the API key was revoked or has expired since the request began. Safe from any thread. */
    public boolean isInForce(long nowMs) {
        return key == null || key.isInForce(nowMs);
    }
}
