package io.queenmq.engine.connection;

import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;

/** The result of a check, in another session, of a session that does not answer. */
enum SilentSessionCheck {
    /** The session executes the call. */
    WORKING,
    /** The session commits and must not be ended. The requests of its call should stop waiting. */
    COMMITTING,
    /** Like COMMITTING, and the commit waits for a synchronous standby. */
    REPLICATING,
    /** The session does not execute the call, or was ended. So the call cannot be executed after it was repeated. */
    ENDED,
    /** PostgreSQL cannot be reached, so the state of the session is unknown. */
    UNREACHABLE;

    /**
     * Checks a session, and ends it if it does not execute the call. Compares user, database and application name, because the
     * process id may belong to another session now. A session that waits for its client has executed the call and cannot
     * send the answer, so it is ended, too.
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

    /** @param mustEnd true if the call has timed out, so that the session is ended unless it commits */
    static Tuple arguments(int processId, boolean mustEnd, int ownProcessId) {
        return Tuple.of(processId, mustEnd, ownProcessId);
    }

    static SilentSessionCheck of(RowSet<Row> rows, boolean mustEnd) {
        Row row = rows.iterator().next();
        if (row.getBoolean(2)) {
            return REPLICATING;
        }
        if (Boolean.TRUE.equals(row.getBoolean(0))) {
            return mustEnd ? COMMITTING : WORKING;
        }
        // Behind a connection pooler it is unknown which session executes the call.
        boolean isKnown = row.getBoolean(0) != null || row.getBoolean(1);
        return isKnown || mustEnd ? ENDED : WORKING;
    }
}
