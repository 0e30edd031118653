/**
 * Sockets, TLS, limits, and the loop that reads requests and writes responses. Knows no route: a
 * {@link io.queenmq.server.http.server.RouteSetup} adds them.
 */
package io.queenmq.server.http.server;
