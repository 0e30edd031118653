package io.queenmq.engine.connection;

import io.queenmq.engine.time.Timers;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.HashMap;
import java.util.Map;

/**
 * The sessions whose connection was lost while a call was in flight. PostgreSQL may still execute such a call, so its outcome is
 * unknown until the session has ended. Owned by the engine loop.
 */
final class LostSessions {
    /**
     * Ends sessions, and commits afterward, so that their commits are replicated. A session that started after the call is
     * another one whose process has the same id. Behind a connection pooler the process id has no meaning.
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

    /** The delay before a session that did not end is ended again. */
    static final long END_AGAIN_NS = 1_000_000_000;

    private final long endsWithinNs;
    private final Timers timers;
    /** The time of the call, by process id. */
    private final Map<Integer, Long> askedNs = new HashMap<>();
    private boolean isEnding;
    private long endAgainNs;

    /** @param endsWithinNs the maximum time that PostgreSQL executes a call */
    LostSessions(long endsWithinNs, Timers timers) {
        this.endsWithinNs = endsWithinNs;
        this.timers = timers;
        this.endAgainNs = timers.nowNs();
    }

    void add(int processId, long callNs) {
        askedNs.put(processId, callNs);
    }

    /** Removes all sessions, because their postmaster has ended. */
    void clear() {
        askedNs.clear();
    }

    boolean isEmpty() {
        return askedNs.isEmpty();
    }

    /** Returns true if there are sessions to be ended now. */
    boolean isDue() {
        return !isEmpty() && !isEnding && endAgainNs - timers.nowNs() <= 0;
    }

    /** Ends the sessions with a call on another connection. Sessions that do not end stay in the set. */
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
        Integer[] processIds = new Integer[askedNs.size()];
        Double[] seconds = new Double[processIds.length];
        int position = 0;
        for (Map.Entry<Integer, Long> each : askedNs.entrySet()) {
            processIds[position] = each.getKey();
            seconds[position++] = (nowNs - each.getValue()) / 1e9;
        }
        return Tuple.tuple().addValue(processIds).addValue(seconds).addInteger(ownProcessId);
    }

    /**
     * Removes the sessions that have ended. Behind a connection pooler, a call counts as ended when its maximum time has passed.
     */
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
