package io.queenmq.engine.connection;

import io.vertx.sqlclient.Row;
import java.time.OffsetDateTime;
import java.util.Objects;

/**
 * The history of a PostgreSQL as a new session finds it. A component is null when PostgreSQL does not disclose it.
 *
 * @param systemIdentifier identifies the database cluster; copies of its files have the same
 * @param timeline incremented by every promotion and every point-in-time recovery
 * @param startedAt when the postmaster started
 * @param position the end of the WAL that is flushed, in bytes
 * @param report the number of the last report of this server that is stored, 0 for none: the fence that it advances
 * @param isStandby true for a server in recovery, which accepts no writes
 */
public record DatabaseIdentity(Long systemIdentifier, Integer timeline, OffsetDateTime startedAt, Long position,
        Long report, boolean isStandby) {

    /** Takes the timeline from the WAL file name: after a promotion, the control file still has the previous one. */
    public static final String HISTORY = """
            select pg_is_in_recovery() as is_standby,
                   pg_postmaster_start_time() as started_at,
                   (select c.system_identifier from pg_control_system() c) as system_identifier,
                   case when not pg_is_in_recovery() then pg_walfile_name(pg_current_wal_lsn()) end as wal_file,
                   case when not pg_is_in_recovery()
                        then (pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::bigint end as position""";

    /** For roles that may not call the functions of {@link #HISTORY}. */
    public static final String START = """
            select pg_is_in_recovery() as is_standby,
                   pg_postmaster_start_time() as started_at,
                   null::bigint as system_identifier,
                   null::text as wal_file,
                   null::bigint as position""";

    /** Follows one of the two, where the tables of the catalog are. The argument is the id of this server. */
    public static final String WITH_REPORT = ", coalesce((select s.report from queen.server s where s.id = $1), 0) as report";

    private static final int TIMELINE_DIGITS = 8;

    public static DatabaseIdentity of(Row row) {
        String walFile = row.getString("wal_file");
        int report = row.getColumnIndex("report");
        return new DatabaseIdentity(row.getLong("system_identifier"),
                walFile == null ? null : Integer.parseUnsignedInt(walFile.substring(0, TIMELINE_DIGITS), 16),
                row.getOffsetDateTime("started_at"), row.getLong("position"), report < 0 ? null : row.getLong(report),
                row.getBoolean("is_standby"));
    }

    /** The same history, at no particular position. */
    DatabaseIdentity withoutPosition() {
        return new DatabaseIdentity(systemIdentifier, timeline, startedAt, null, report, isStandby);
    }

    boolean isSameCluster(DatabaseIdentity other) {
        return systemIdentifier != null && systemIdentifier.equals(other.systemIdentifier);
    }

    /** Whether the same cluster is meant, and the other one was promoted after this one. */
    boolean isBefore(DatabaseIdentity other) {
        return isSameCluster(other) && timeline != null && other.timeline != null && timeline < other.timeline;
    }

    /** Whether the other one was read later. */
    boolean isBehind(DatabaseIdentity other) {
        return position != null && other.position != null && position < other.position;
    }

    boolean isSamePostmaster(DatabaseIdentity other) {
        return isEqual(systemIdentifier, other.systemIdentifier) && isEqual(timeline, other.timeline)
                && startedAt.isEqual(other.startedAt);
    }

    /** Returns in which way this history is not the continuation of an earlier one, or null when it is. */
    String differenceFrom(DatabaseIdentity earlier) {
        if (!isEqual(systemIdentifier, earlier.systemIdentifier)) {
            return "system identifier " + earlier.systemIdentifier + " -> " + systemIdentifier;
        }
        if (!isEqual(timeline, earlier.timeline)) {
            return "timeline " + earlier.timeline + " -> " + timeline;
        }
        if (!startedAt.isEqual(earlier.startedAt)) {
            return "PostgreSQL started at " + earlier.startedAt + " -> " + startedAt;
        }
        return isBehind(earlier)
                ? "WAL position " + earlier.position + " -> " + position
                : null;
    }

    /** What is not disclosed is not compared. */
    private static boolean isEqual(Object one, Object other) {
        return one == null || other == null || Objects.equals(one, other);
    }
}
