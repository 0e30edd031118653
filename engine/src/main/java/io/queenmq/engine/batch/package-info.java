/**
 * Collects requests while connections are busy, and sends them in one database call. A failed batch is halved until the request
 * that causes the failure is found. A batch whose connection is lost is repeated. Runs on the engine loop.
 */
@NullMarked
package io.queenmq.engine.batch;

import org.jspecify.annotations.NullMarked;
