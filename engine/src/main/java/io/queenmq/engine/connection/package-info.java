/**
 * Connection pools to each shard and to the catalog. Detects silent connections, replaces lost ones, and detects that the history
 * of the database changed.
 */
@NullMarked
package io.queenmq.engine.connection;

import org.jspecify.annotations.NullMarked;
