package io.queenmq.engine.catalog;

/** What the catalog asks besides calling routines, for tests of those who answer it. */
public final class CatalogStatements {
    /** The version of the catalog, and what holds for all servers. */
    public static final String STATE = QueueRoutines.STATE;
    /** The queues and their options. */
    public static final String ALL = QueueRoutines.ALL;
    /** The partitions revised since a version, which is the argument. */
    public static final String REVISED_PARTITIONS = QueueRoutines.REVISED_PARTITIONS;

    private CatalogStatements() {}
}
