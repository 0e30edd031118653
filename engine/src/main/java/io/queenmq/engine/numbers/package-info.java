/**
 * Counts and gauges of the engine, and the reports of them to the database. Packages count once per request or batch,
 * in plain fields. Every few seconds the counts are reported and added to buckets. Runs on the engine loop.
 */
@NullMarked
package io.queenmq.engine.numbers;

import org.jspecify.annotations.NullMarked;
