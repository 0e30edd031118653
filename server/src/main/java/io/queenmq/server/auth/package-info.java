/**
 * Authentication: verifies tokens (JWT) with nimbus-jose-jwt, fetches published keys, loads revoked tokens, and counts, limits
 * and records rejections. Independent of HTTP routes and the engine: its input is the text of a token, its output an identity or
 * a reason for rejection.
 */
@NullMarked
package io.queenmq.server.auth;

import org.jspecify.annotations.NullMarked;
