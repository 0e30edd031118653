package io.queenmq.schema;

import java.time.OffsetDateTime;
import java.util.UUID;

/** A row of queen.cursor. */
record CursorRow(long committed, UUID lease, OffsetDateTime leaseUntil, Long leaseEnd, String acked, boolean isFailing,
        OffsetDateTime retryAt, long completed, long dead, long expired) {

    static CursorRow of(Api api, Partition partition, String group) {
        return api.list(rows -> new CursorRow(rows.getLong(1), rows.getObject(2, UUID.class),
                rows.getObject(3, OffsetDateTime.class), rows.getObject(4, Long.class), rows.getString(5),
                rows.getBoolean(6), rows.getObject(7, OffsetDateTime.class), rows.getLong(8), rows.getLong(9),
                rows.getLong(10)), """
                select committed, lease_id, lease_until, lease_end, acked, is_failing, retry_at, completed_count, dead_count,
                       expired_count
                from queen.cursor
                where partition_id = ? and group_name = ?""", partition.id(), group).getFirst();
    }

    /** Makes the lease of a group expire now, if there is one. */
    static void runOut(Api api, Partition partition, String group) {
        api.everywhere("update cursor set lease_until = now() where partition_id = '" + partition.id()
                + "' and group_name = '" + group + "'");
    }

    boolean isFree() {
        return lease == null && leaseUntil == null && leaseEnd == null;
    }
}
