package io.queenmq.server.auth;

/**
 * Somebody whose token is genuine.
 *
 * @param subject who they are; null when the token does not say
 * @param expiresAtMs until when the token may be used, the allowed difference of clocks included
 */
public record Identity(String subject, Role role, long expiresAtMs) {}
