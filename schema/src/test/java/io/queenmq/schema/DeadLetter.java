package io.queenmq.schema;

import java.util.List;

/** A row of queen.dead_letter. */
record DeadLetter(String group, long offset, String line, String error, int attempts) {
    /** Returns the dead letters of a partition, by group and offset. */
    static List<DeadLetter> of(Api api, Partition partition) {
        return api.list(rows -> new DeadLetter(rows.getString(1), rows.getLong(2), rows.getString(3), rows.getString(4),
                rows.getInt(5)), """
                select group_name, message_offset, convert_from(line, 'UTF8'), error, attempts
                from queen.dead_letter
                where partition_id = ?
                order by group_name, message_offset""", partition.id());
    }
}
