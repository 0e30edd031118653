/**
 * Gathers requests while connections are busy and sends them in one database call. A failure is
 * narrowed down to the request that causes it, and a lost connection costs a repetition. Runs on the engine loop.
 */
package io.queenmq.engine.batch;
