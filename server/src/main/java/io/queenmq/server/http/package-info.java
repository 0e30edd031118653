/**
 * The HTTP side: one class per route, which turns a request into a command of the engine and its outcome into bytes.
 *
 * <p>Each event loop has its own set of everything here ({@link io.queenmq.server.http.HttpLoop}), used by its thread
 * only. The one thing that crosses threads is an answer of the engine on its way back
 * ({@link io.queenmq.server.http.AnswerQueue}). Everything is validated here: what reaches the engine cannot fail in
 * PostgreSQL because of what it contains, so that no request can spoil the database call it shares with others.
 */
package io.queenmq.server.http;
