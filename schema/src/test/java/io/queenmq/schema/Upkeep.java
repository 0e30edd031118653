package io.queenmq.schema;

import java.util.List;

/** Passes of upkeep, and partitions with an age. */
record Upkeep(Api api) {
    /** The sums of the passes, over all transactions. */
    record Pass(long retention, long completedRetention, long evicted) {}

    Pass retain() {
        schedule("retention");
        long retention = 0;
        long completed = 0;
        for (var step = applyRetention(100, 1000); step.partitions() > 0; step = applyRetention(100, 1000)) {
            retention += step.retention();
            completed += step.completedRetention();
        }
        return new Pass(retention, completed, 0);
    }

    Pass evict() {
        schedule("eviction");
        long evicted = 0;
        for (var step = applyEviction(100, 1000); step.partitions() > 0; step = applyEviction(100, 1000)) {
            evicted += step.evicted();
        }
        return new Pass(0, 0, evicted);
    }

    /** Schedules the partitions of this kind, as a pass of upkeep begins. */
    void schedule(String kind) {
        var passAt = Rows.strings(api.connection(), "select clock_timestamp()::text").getFirst();
        boolean isThrough = false;
        while (!isThrough) {
            isThrough = !api
                    .everyShard(rows -> rows.getBoolean(1),
                            "select " + api.schema() + ".schedule_upkeep(?, ?::timestamptz, 1000)", kind, passAt)
                    .contains(false);
        }
    }

    record Retained(int partitions, long retention, long completedRetention) {}

    Retained applyRetention(int partitionsMax, int segmentsMax) {
        return api
                .everyShard(rows -> new Retained(rows.getInt(1), rows.getLong(2), rows.getLong(3)),
                        "select partitions, retention, completed_retention from " + api.schema()
                                + ".apply_retention(?, ?)",
                        partitionsMax, segmentsMax)
                .stream().reduce((a, b) -> new Retained(a.partitions() + b.partitions(), a.retention() + b.retention(),
                        a.completedRetention() + b.completedRetention()))
                .orElseThrow();
    }

    record Evicted(int partitions, long evicted) {}

    Evicted applyEviction(int partitionsMax, int messagesMax) {
        return api.everyShard(rows -> new Evicted(rows.getInt(1), rows.getLong(2)),
                "select partitions, evicted from " + api.schema() + ".apply_eviction(?, ?)", partitionsMax, messagesMax)
                .stream().reduce((a, b) -> new Evicted(a.partitions() + b.partitions(), a.evicted() + b.evicted()))
                .orElseThrow();
    }

    /** @return how many partitions were deleted */
    int deleteIdlePartitions(int days, int partitionsMax) {
        return sum("delete_idle_partitions(?, ?) x (partitions, sum)", days, partitionsMax);
    }

    int forgetLeases(int leasesMax) {
        return sum("delete_lease_partitions(?) x (sum)", leasesMax);
    }

    int rollOff(int days, int rowsMax) {
        return sum("roll_off(?, ?) x (sum)", days, rowsMax);
    }

    /**
     * Returns what a pass removes in the queue of the partition, by age and because it was finished; other tests leave
     * partitions, too.
     */
    String removed(Partition partition) {
        api.everywhere("delete from retention_minute where queue_id = '" + partition.queueId() + "'");
        retain();
        return Rows.strings(api.connection(),
                "select coalesce(sum(retention), 0) || '/' || coalesce(sum(completed_retention), 0)"
                        + " from queen.retention_minute where queue_id = ?",
                partition.queueId()).getFirst();
    }

    /** Moves all times of the partition to the past. */
    void age(Partition partition, int seconds) {
        var ago = " - interval '" + seconds + " seconds'";
        api.everywhere("with c as (select base, created_at" + ago + " as at from segment where partition_id = '"
                + partition.id()
                + "' for update) update segment s set created_at = c.at from c where s.partition_id = '"
                + partition.id() + "' and s.base = c.base");
        api.everywhere("with c as (select last_push_at" + ago + " as pushed, active_at" + ago
                + " as active from partition where id = '" + partition.id()
                + "' for update) update partition p set last_push_at = c.pushed, active_at = c.active from c where p.id = '"
                + partition.id() + "'");
        api.everywhere("with c as (select kind, due_at" + ago + " as at from partition_upkeep where partition_id = '"
                + partition.id()
                + "' for update) update partition_upkeep u set due_at = c.at from c where u.partition_id = '"
                + partition.id() + "' and u.kind = c.kind");
    }

    long tail(Partition partition) {
        return Rows.number(api.connection(), "select tail from queen.partition where id = ?", partition.id());
    }

    /** Returns the bases of the stored segments. */
    List<Long> kept(Partition partition) {
        return api.list(rows -> rows.getLong(1), "select base from queen.segment where partition_id = ? order by base",
                partition.id());
    }

    /** Returns in how many seconds the partition is checked again; null if it is not scheduled. */
    Long dueIn(Partition partition, String kind) {
        var due = api.list(rows -> rows.getLong(1),
                "select round(extract(epoch from due_at - clock_timestamp())) from queen.partition_upkeep"
                        + " where partition_id = ? and kind = ?",
                partition.id(), kind);
        return due.isEmpty() ? null : due.getFirst();
    }

    /** Returns the recorded counts of the queue of the partition. */
    List<String> minutes(Partition partition) {
        return Rows.strings(api.connection(), "select concat_ws('/', sum(retention), sum(completed_retention),"
                + " sum(eviction)) from queen.retention_minute where queue_id = ?", partition.queueId());
    }

    /** Returns what a routine removed in all shards. */
    private int sum(String routine, Object... values) {
        return api.everyShard(rows -> rows.getInt(1), "select sum from " + api.schema() + "." + routine, values)
                .stream().mapToInt(removed -> removed).sum();
    }
}
