/**
 * The HTTP API of a server. {@link io.queenmq.server.http.HttpApi} opens the listener, and {@code Routes} adds the routes of all
 * packages below this one.
 *
 * <p>Each event loop has its own routes, which only its thread uses. Only replies of the engine are passed between threads.
 * Every request is validated here: a request that reaches the engine must not fail in PostgreSQL because of its contents, so that
 * no request can fail the database call that it shares with others.
 */
@NullMarked
package io.queenmq.server.http;

import org.jspecify.annotations.NullMarked;
