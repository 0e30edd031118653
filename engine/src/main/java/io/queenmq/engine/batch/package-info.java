/**
 * The corridor between the rooms and PostgreSQL. Requests gather while connections are busy and go together; a failure is
 * narrowed down to the request that causes it, and a lost connection costs a repetition. Runs on the engine loop.
 */
package io.queenmq.engine.batch;
