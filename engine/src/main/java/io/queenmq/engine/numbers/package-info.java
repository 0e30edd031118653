/**
 * What the engine counts, and how it tells the database. The rooms count once per request or batch, in plain fields;
 * every few seconds what was counted since is reported and added up in buckets. Runs on the engine loop.
 */
package io.queenmq.engine.numbers;
