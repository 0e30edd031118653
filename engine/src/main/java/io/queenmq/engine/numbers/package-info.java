/**
 * Counts and gauges of the engine, and the reports of them to the database. Packages count once per request or batch, in plain fields;
 * every few seconds what was counted since is reported and added up in buckets. Runs on the engine loop.
 */
package io.queenmq.engine.numbers;
