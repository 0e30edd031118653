package io.queenmq.schema;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.StringJoiner;

/** Describes sessions that may block a change of the schema, for log lines. */
final class LockHolders {
    /** Other transactions that are older than the wait, with the tables of Queen that they have locked, oldest first. */
    private static final String SQL = """
            select format('%s, %s s old, %s%s holds %s',
                          coalesce('session ' || a.pid, 'a prepared transaction'),
                          coalesce(round(extract(epoch from clock_timestamp() - a.xact_start))::text, '?'),
                          coalesce(nullif(a.application_name, '') || ', ', ''), coalesce(a.state, 'unknown state'),
                          string_agg(distinct l.relation::regclass::text, ', '))
            from pg_locks l
            join pg_class c on c.oid = l.relation
            left join pg_stat_activity a on a.pid = l.pid
            where l.locktype = 'relation'
              and l.granted
              and l.pid is distinct from pg_backend_pid()
              and l.database = (select d.oid from pg_database d where d.datname = current_database())
              and (c.relnamespace = to_regnamespace('queen') or starts_with(c.relnamespace::regnamespace::text, 'queen_'))
              and c.relkind in ('r', 'v', 'p')
              and (a.xact_start is null or a.xact_start <= clock_timestamp() - ? * interval '1 millisecond')
            group by a.pid, a.xact_start, a.application_name, a.state
            order by a.xact_start nulls last
            limit 5""";

    private LockHolders() {}

    /** @param waited the wait for the lock: later transactions did not block it */
    static String describe(Connection connection, Duration waited) throws SQLException {
        var holders = new StringJoiner("; ");
        holders.setEmptyValue("no visible session has locked a table of Queen");
        try (var statement = connection.prepareStatement(SQL)) {
            statement.setLong(1, waited.toMillis());
            try (var rows = statement.executeQuery()) {
                while (rows.next()) {
                    holders.add(rows.getString(1));
                }
            }
        }
        return holders.toString();
    }
}
