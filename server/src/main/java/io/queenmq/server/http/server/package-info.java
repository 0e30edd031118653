/**
 * Sockets, TLS, limits, and the loop that reads requests and writes responses. Has no routes of its own: a
 * {@link io.queenmq.server.http.server.RouteSetup} adds them.
 */
@NullMarked
package io.queenmq.server.http.server;

import org.jspecify.annotations.NullMarked;
