package io.queenmq.server.auth;

/**
 * Somebody whose token or API key is genuine.
 *
 * @param subject who they are; null when the token does not say
 * @param role {@link Role#NONE} when the token or key names none
 * @param rights on queues; null when the role alone decides
 * @param expiresAtMs until when the token or key may be used, the allowed difference of clocks included
 * @param key the API key; null for a token
 */
public record Identity(String subject, Role role, Rights rights, long expiresAtMs, ApiKey key) {
    /** The bearer of a token without rights on queues. */
    public Identity(String subject, Role role, long expiresAtMs) {
        this(subject, role, null, expiresAtMs, null);
    }

    /** The bearer of a token. */
    public Identity(String subject, Role role, Rights rights, long expiresAtMs) {
        this(subject, role, rights, expiresAtMs, null);
    }

    /** Returns false if the API key was revoked or has expired since the request began. Safe from any thread. */
    public boolean isInForce(long nowMs) {
        return key == null || key.isInForce(nowMs);
    }
}
