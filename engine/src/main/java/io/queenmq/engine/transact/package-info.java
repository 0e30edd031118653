/**
 * Executes transactions: acknowledgments and pushes as one unit of work, with the routine transact. Runs on the engine loop.
 */
@NullMarked
package io.queenmq.engine.transact;

import org.jspecify.annotations.NullMarked;
