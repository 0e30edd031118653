package io.queenmq.engine.catalog;

/** The queries of the catalog besides calls of routines, for tests that answer them. */
public final class CatalogStatements {
    /** The version of the catalog, and the state of the system. */
    public static final String STATE = QueueRoutines.STATE;
    /** The queues and their options. */
    public static final String ALL = QueueRoutines.ALL;
    /** The partitions revised since a version, which is the argument. */
    public static final String REVISED_PARTITIONS = QueueRoutines.REVISED_PARTITIONS;

    private CatalogStatements() {}
}
