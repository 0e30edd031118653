/**
 * Authentication: verifies tokens (JWT) with nimbus-jose-jwt, fetches published keys, loads revoked tokens, and counts, limits
 * and records rejections. Knows neither HTTP routes nor the engine: its input is the text of a token, its output an identity or
 * a reason for rejection.
 */
package io.queenmq.server.auth;
