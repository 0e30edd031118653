package io.queenmq.client.operator;

import org.jspecify.annotations.Nullable;

/**
 * Who the server takes this client for.
 *
 * @param subject of its token; null without one
 * @param role {@code read-only}, {@code read-write} or {@code admin}
 * @param isTokenNeeded whether requests must carry a token; without, everybody is admin
 */
public record Identity(@Nullable String subject, String role, boolean isTokenNeeded) {}
