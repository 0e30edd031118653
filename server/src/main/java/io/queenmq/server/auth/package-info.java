/**
 * Who asks: checks tokens (JWT) with the JDK's own cryptography, and fetches published keys on a thread of its own. Knows
 * neither HTTP routes nor the engine; a token is a text that comes in, and a role and a name go out.
 */
package io.queenmq.server.auth;
