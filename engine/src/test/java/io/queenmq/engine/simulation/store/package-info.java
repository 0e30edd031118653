/**
 * An in-memory replacement of PostgreSQL for the sessions of the simulation. {@code Store} is the entry point. A
 * statement is identified by the routine that it calls ({@code Statement}, {@code Signature}), its arguments have the
 * names in the file of the routine ({@code Arguments}), and the class that implements the routine changes the tables
 * ({@code PartitionTable}, {@code CursorTable}, {@code CatalogTable} …). One thread executes one statement at a time,
 * atomically. {@code StoreAgainstRoutinesTest} compares it with the real routines.
 */
package io.queenmq.engine.simulation.store;
