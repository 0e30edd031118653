package io.queenmq.engine.connection;

import io.queenmq.engine.time.Timers;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.HashMap;
import java.util.Map;

/**
 * The sessions whose connection was lost while a call was under way. PostgreSQL may still execute such a call, so its outcome
 * is unknown until the session has ended. Owned by the engine loop.
 */
final class LostSessions {
    /**
     * Ends sessions, and commits after them, so that what they stored is replicated. A session that started after the call is
     * another one whose process has the same id. Behind a connection pooler the process id says nothing.
     */
    private static final String SQL = """
            select l.pid, pg_backend_pid() = $3 as is_direct,
                   case when a.pid is null then true
                        when :is_committing then false
                        else pg_terminate_backend(a.pid, 1000) end as is_ended,
                   (:confirm) is not null as is_confirmed
            from unnest($1::int[], $2::float8[]) as l (pid, seconds)
            left join pg_stat_activity a
                   on a.pid = l.pid
                  and a.usename = current_user
                  and a.datname = current_database()
                  and a.application_name = current_setting('application_name')
                  and a.backend_start <= clock_timestamp() - make_interval(secs => l.seconds)"""
            .replace(":is_committing", Replication.IS_COMMITTING).replace(":confirm", Replication.CONFIRM);

    /** How long to wait before a session that did not end is ended again. */
    static final long END_AGAIN_NS = 1_000_000_000;

    private final long endsWithinNs;
    private final Timers timers;
    /** When the call was made, by process id. */
    private final Map<Integer, Long> askedNs = new HashMap<>();
    private boolean isEnding;
    private long endAgainNs;

    /** @param endsWithinNs how long PostgreSQL may execute a call at most */
    LostSessions(long endsWithinNs, Timers timers) {
        this.endsWithinNs = endsWithinNs;
        this.timers = timers;
        this.endAgainNs = timers.nowNs();
    }

    void add(int processId, long callNs) {
        askedNs.put(processId, callNs);
    }

    /** The sessions ended with the PostgreSQL that they were of. */
    void clear() {
        askedNs.clear();
    }

    boolean isEmpty() {
        return askedNs.isEmpty();
    }

    /** Whether there are sessions to be ended now. */
    boolean isDue() {
        return !isEmpty() && !isEnding && endAgainNs - timers.nowNs() <= 0;
    }

    /** Ends the sessions on another connection, as far as that is possible now. */
    Future<?> end(Connection connection) {
        isEnding = true;
        return connection.call(SQL, arguments(connection.processId(), timers.nowNs())).onComplete(rows -> {
            isEnding = false;
            if (rows.succeeded()) {
                ended(rows.result(), timers.nowNs());
            }
            if (!isEmpty()) {
                endAgainNs = timers.nowNs() + END_AGAIN_NS;
            }
        });
    }

    private Tuple arguments(int ownProcessId, long nowNs) {
        Integer[] processIds = askedNs.keySet().toArray(Integer[]::new);
        Double[] seconds = new Double[processIds.length];
        for (int i = 0; i < seconds.length; i++) {
            seconds[i] = (nowNs - askedNs.get(processIds[i])) / 1e9;
        }
        return Tuple.tuple().addValue(processIds).addValue(seconds).addInteger(ownProcessId);
    }

    /** Removes the sessions that have ended. Behind a connection pooler only time tells. */
    private void ended(RowSet<Row> rows, long nowNs) {
        for (Row row : rows) {
            Long calledNs = askedNs.get(row.getInteger(0));
            boolean isOver = calledNs != null && nowNs - calledNs >= endsWithinNs;
            if (row.getBoolean(2) && (row.getBoolean(1) || isOver)) {
                askedNs.remove(row.getInteger(0));
            }
        }
    }
}
