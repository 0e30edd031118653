/**
 * Connection pools to each shard and to the catalog. Detects silent connections, replaces lost ones and recognizes a
 * database that returned to an earlier state.
 */
package io.queenmq.engine.connection;
