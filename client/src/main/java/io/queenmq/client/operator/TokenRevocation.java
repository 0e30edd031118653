package io.queenmq.client.operator;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Tokens that servers reject although they have not expired: one token, or all that were issued before a time.
 *
 * @param tokenId the {@code jti} of the token; null if this is about an issue time
 * @param subject the {@code sub} of the tokens; null for every subject
 * @param issuedBefore tokens with an earlier {@code iat} are revoked; null if this is about one token
 * @param expiresAt the time at which the revocation is removed; null if it is kept
 */
public record TokenRevocation(long id, @Nullable String tokenId, @Nullable String subject,
        @Nullable Instant issuedBefore, @Nullable Instant expiresAt, Instant createdAt, String createdBy) {}
