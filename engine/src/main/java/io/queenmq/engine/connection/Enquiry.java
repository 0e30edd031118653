package io.queenmq.engine.connection;

import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;

/** What PostgreSQL says, in another session, of a session that does not answer. */
enum Enquiry {
    /** It works on what was asked. */
    WORKING,
    /** It commits and must not be ended, but the requests of its call should not wait for it any longer. */
    COMMITTING,
    /** The same, and its commit waits for a synchronous standby. */
    REPLICATING,
    /** It does not, or not any more: it was ended, so that what was asked is not carried out after it was repeated. */
    ENDED,
    /** PostgreSQL cannot be reached, so nobody knows. */
    UNREACHABLE;

    /**
     * Looks at one session of this server's kind, because the number of a process may have been given to another one. One
     * that waits for its client has done its work, and cannot get rid of the answer.
     */
    static final String SQL = """
            select case when :is_committing
                          or not $2 and a.state not like 'idle%' and a.wait_event_type is distinct from 'Client' then true
                        else not pg_terminate_backend(a.pid, 1000) end as is_working,
                   pg_backend_pid() = $3 as is_direct,
                   coalesce(a.wait_event = 'SyncRep', false) as is_replicating
            from (select) here
            left join pg_stat_activity a
                   on a.pid = $1
                  and a.usename = current_user
                  and a.datname = current_database()
                  and a.application_name = current_setting('application_name')""".replace(":is_committing",
            Replication.IS_COMMITTING);

    /** @param mustEnd whether it is too late for an answer, whatever the session does */
    static Tuple arguments(int processId, boolean mustEnd, int ownProcessId) {
        return Tuple.of(processId, mustEnd, ownProcessId);
    }

    static Enquiry of(RowSet<Row> rows, boolean mustEnd) {
        Row row = rows.iterator().next();
        if (row.getBoolean(2)) {
            return REPLICATING;
        }
        if (Boolean.TRUE.equals(row.getBoolean(0))) {
            return mustEnd ? COMMITTING : WORKING;
        }
        // Behind a connection pooler nobody knows which session carries out the call.
        boolean isKnown = row.getBoolean(0) != null || row.getBoolean(1);
        return isKnown || mustEnd ? ENDED : WORKING;
    }
}
