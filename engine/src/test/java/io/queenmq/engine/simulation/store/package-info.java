/**
 * PostgreSQL as the engine knows it, in memory: what stands behind a session of the simulation. {@code Store} is the
 * door. A statement is recognised by the routine it calls ({@code Statement}, {@code Signature}), its arguments are
 * read by the names the routine's own file gives them ({@code Arguments}), and the class that keeps that routine's
 * promise changes the tables ({@code PartitionTable}, {@code CursorTable}, {@code CatalogTable} …). One thread, one statement
 * at a time, each as a whole or not at all. {@code StoreAgainstRoutinesTest} holds it to the real routines.
 */
package io.queenmq.engine.simulation.store;
