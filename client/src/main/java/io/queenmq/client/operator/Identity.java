package io.queenmq.client.operator;

import org.jspecify.annotations.Nullable;

/**
 * The identity of this client at the server.
 *
 * @param subject of its token; null without one
 * @param role {@code read-only}, {@code read-write} or {@code admin}
 * @param isTokenNeeded true if requests must have a token; otherwise every client is admin
 */
public record Identity(@Nullable String subject, String role, boolean isTokenNeeded) {}
