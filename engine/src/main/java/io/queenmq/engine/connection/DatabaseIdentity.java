package io.queenmq.engine.connection;

import io.vertx.sqlclient.Row;
import java.time.OffsetDateTime;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The identity and history of a PostgreSQL server, read by a new session. A component is null if PostgreSQL does not disclose it.
 *
 * @param systemIdentifier identifies the database cluster; copies of its files have the same
 * @param timeline incremented by every promotion and every point-in-time recovery
 * @param startedAt the start time of the postmaster
 * @param position the end of the flushed WAL, in bytes
 * @param report the number of the last stored report of this server, 0 if there is none. It is the fence of this server: each
 *        report increases it, so a smaller number than the last confirmed one shows that the database lost commits
 * @param isStandby true for a server in recovery, which accepts no writes
 */
public record DatabaseIdentity(@Nullable Long systemIdentifier, @Nullable Integer timeline, OffsetDateTime startedAt,
        @Nullable Long position, @Nullable Long report, boolean isStandby) {

    /** Reads the timeline from the WAL file name, because the control file has the previous timeline after a promotion. */
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

    /** Appended to one of the two in sessions of the catalog. The argument is the id of this server. */
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

    /** Returns the same history without a position. */
    DatabaseIdentity withoutPosition() {
        return new DatabaseIdentity(systemIdentifier, timeline, startedAt, null, report, isStandby);
    }

    boolean isSameCluster(DatabaseIdentity other) {
        return systemIdentifier != null && systemIdentifier.equals(other.systemIdentifier);
    }

    /** Returns true if the other identity is of the same cluster on a later timeline. */
    boolean isBefore(DatabaseIdentity other) {
        return isSameCluster(other) && timeline != null && other.timeline != null && timeline < other.timeline;
    }

    /** Returns true if the other WAL position is greater. */
    boolean isBehind(DatabaseIdentity other) {
        return position != null && other.position != null && position < other.position;
    }

    boolean isSamePostmaster(DatabaseIdentity other) {
        return isEqual(systemIdentifier, other.systemIdentifier) && isEqual(timeline, other.timeline)
                && startedAt.isEqual(other.startedAt);
    }

    /** Returns the difference from an earlier history; null if this history continues it. */
    @Nullable
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
        return isBehind(earlier) ? "WAL position " + earlier.position + " -> " + position : null;
    }

    /** Compares two components. A component that is not disclosed is equal to any other. */
    private static boolean isEqual(@Nullable Object one, @Nullable Object other) {
        return one == null || other == null || Objects.equals(one, other);
    }
}
