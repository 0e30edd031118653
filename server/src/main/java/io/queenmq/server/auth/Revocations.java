package io.queenmq.server.auth;

import java.util.Map;
import java.util.Set;

/**
 * The tokens that were revoked, at one moment. Immutable.
 *
 * @param version of the contents in the database
 * @param tokenIds values of {@code jti}
 * @param subjects by {@code sub}: tokens issued before that time, in seconds since 1970, are revoked
 * @param issuedBefore tokens of every subject issued before that time are revoked; 0 if none are
 */
record Revocations(long version, Set<String> tokenIds, Map<String, Double> subjects, double issuedBefore) {
    static final Revocations NONE = new Revocations(0, Set.of(), Map.of(), 0);

    /** Returns true if the token is revoked. One without {@code iat} counts as issued before every such time. */
    boolean contain(Claims claims) {
        if (claims.get("jti") instanceof String id && tokenIds.contains(id)) {
            return true;
        }
        double before = issuedBefore;
        if (claims.get("sub") instanceof String subject) {
            before = Math.max(before, subjects.getOrDefault(subject, 0.0));
        }
        return before > 0 && !(claims.seconds("iat", Double.NEGATIVE_INFINITY) >= before);
    }
}
