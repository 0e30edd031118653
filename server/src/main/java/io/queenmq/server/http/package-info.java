/**
 * The HTTP API of a server. {@link io.queenmq.server.http.HttpApi} opens the listener, and {@code Routes} adds the routes of all
 * packages below this one.
 *
 * <p>Each event loop has its own routes, which only its thread uses. The only objects that cross threads are replies of the engine.
 * Every request is validated here: a request that reaches the engine must not fail in PostgreSQL because of its contents, so that
 * no request can fail the database call that it shares with others.
 */
package io.queenmq.server.http;
