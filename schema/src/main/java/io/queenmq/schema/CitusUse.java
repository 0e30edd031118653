package io.queenmq.schema;

/** Whether shards are spread over the nodes of a Citus cluster. */
public enum CitusUse {
    /** Where the database has the extension. */
    AUTO,
    /** They are, and a database without the extension is refused. */
    REQUIRED,
    /** They stay schemas of one PostgreSQL; those that are spread already stay where they are. */
    OFF
}
