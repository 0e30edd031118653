package io.queenmq.schema;

/** The use of Citus: shards are placed on the nodes of a Citus cluster, or not. */
public enum CitusUse {
    /** Shards are placed if the database has the extension. */
    AUTO,
    /** Shards are placed, and a database without the extension is rejected. */
    REQUIRED,
    /** Shards stay schemas of one PostgreSQL; placed shards stay on their nodes. */
    OFF
}
