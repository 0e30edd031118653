package io.queenmq.engine.connection;

/**
 * SQL for synchronous replication. A commit that waits for a synchronous standby is invisible to other sessions. If its session
 * is ended, the commit becomes visible although no standby has it. So such a session must never be ended, and data that is found
 * stored must be trusted only after a commit that waited for the standby.
 */
final class Replication {
    static final String WAITING_FOR_STANDBY = "PostgreSQL waits for a synchronous standby: "
            + "no standby of synchronous_standby_names confirms commits";

    /**
     * True if the session a of pg_stat_activity may be in a commit that waits for a standby, now or soon. Must be evaluated in a
     * session with the same synchronous_commit. The commit of an active session cannot be distinguished from its query.
     */
    static final String IS_COMMITTING = """
            (a.wait_event = 'SyncRep'
             or current_setting('synchronous_standby_names') <> '' and current_setting('synchronous_commit') <> 'off'
                and a.state = 'active' and a.wait_event_type is distinct from 'Client')""";

    /**
     * Writes to the WAL, so that the commit waits for the standby. Everything that was visible before is then replicated, too.
     * A transaction that writes nothing does not wait.
     */
    static final String CONFIRM = "select pg_logical_emit_message(true, 'queen', '')"
            + " where current_setting('synchronous_standby_names') <> ''";

    private Replication() {}
}
