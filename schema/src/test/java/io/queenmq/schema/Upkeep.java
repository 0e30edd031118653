package io.queenmq.schema;

import java.util.List;

/** Passes of upkeep, and lanes that have been there for a while. */
record Upkeep(Api api) {
    /** What the passes removed, over all transactions. */
    record Pass(long retention, long completedRetention, long evicted) {}

    Pass retain() {
        schedule("retention");
        long retention = 0;
        long completed = 0;
        for (var step = applyRetention(100, 1000); step.lanes() > 0; step = applyRetention(100, 1000)) {
            retention += step.retention();
            completed += step.completedRetention();
        }
        return new Pass(retention, completed, 0);
    }

    Pass evict() {
        schedule("eviction");
        long evicted = 0;
        for (var step = applyEviction(100, 1000); step.lanes() > 0; step = applyEviction(100, 1000)) {
            evicted += step.evicted();
        }
        return new Pass(0, 0, evicted);
    }

    /** Gives every lane of this kind that needs one its due time, as a pass of upkeep begins. */
    void schedule(String kind) {
        var passAt = Rows.strings(api.connection(), "select clock_timestamp()::text").getFirst();
        boolean isThrough = false;
        while (!isThrough) {
            isThrough = !api.everyShard(rows -> rows.getBoolean(1),
                    "select " + api.schema() + ".schedule_upkeep(?, ?::timestamptz, 1000)", kind, passAt)
                    .contains(false);
        }
    }

    record Retained(int lanes, long retention, long completedRetention) {}

    Retained applyRetention(int lanesMax, int segmentsMax) {
        return api.everyShard(rows -> new Retained(rows.getInt(1), rows.getLong(2), rows.getLong(3)),
                "select lanes, retention, completed_retention from " + api.schema() + ".apply_retention(?, ?)",
                lanesMax, segmentsMax).stream().reduce(
                        (a, b) -> new Retained(a.lanes() + b.lanes(),
                                a.retention() + b.retention(), a.completedRetention() + b.completedRetention()))
                .orElseThrow();
    }

    record Evicted(int lanes, long evicted) {}

    Evicted applyEviction(int lanesMax, int messagesMax) {
        return api.everyShard(rows -> new Evicted(rows.getInt(1), rows.getLong(2)),
                "select lanes, evicted from " + api.schema() + ".apply_eviction(?, ?)", lanesMax, messagesMax)
                .stream().reduce((a, b) -> new Evicted(a.lanes() + b.lanes(), a.evicted() + b.evicted())).orElseThrow();
    }

    /** @return how many lanes were deleted */
    int deleteIdleLanes(int days, int lanesMax) {
        return sum("delete_idle_lanes(?, ?) x (lanes, sum)", days, lanesMax);
    }

    int forgetLeases(int leasesMax) {
        return sum("forget_leases(?) x (sum)", leasesMax);
    }

    int rollOff(int days, int rowsMax) {
        return sum("roll_off(?, ?) x (sum)", days, rowsMax);
    }

    /** What a pass removes of the lane's queue, by age and because it was finished; other tests leave lanes behind, too. */
    String removed(Lane lane) {
        api.everywhere("delete from retention_minute where queue_id = '" + lane.queueId() + "'");
        retain();
        return Rows.strings(api.connection(),
                "select coalesce(sum(retention), 0) || '/' || coalesce(sum(completed_retention), 0)"
                        + " from queen.retention_minute where queue_id = ?",
                lane.queueId()).getFirst();
    }

    /** Everything in the lane happened that much earlier. */
    void age(Lane lane, int seconds) {
        var ago = " - interval '" + seconds + " seconds'";
        api.everywhere("with c as (select base, created_at" + ago + " as at from segment where partition_id = '"
                + lane.id()
                + "' for update) update segment s set created_at = c.at from c where s.partition_id = '" + lane.id()
                + "' and s.base = c.base");
        api.everywhere("with c as (select last_push_at" + ago + " as pushed, active_at" + ago
                + " as active from partition where id = '"
                + lane.id()
                + "' for update) update partition p set last_push_at = c.pushed, active_at = c.active from c where p.id = '"
                + lane.id() + "'");
        api.everywhere("with c as (select kind, due_at" + ago + " as at from lane_upkeep where partition_id = '"
                + lane.id()
                + "' for update) update lane_upkeep u set due_at = c.at from c where u.partition_id = '" + lane.id()
                + "' and u.kind = c.kind");
    }

    long tail(Lane lane) {
        return Rows.number(api.connection(), "select tail from queen.partition where id = ?", lane.id());
    }

    /** The offsets at which the segments that are kept begin. */
    List<Long> kept(Lane lane) {
        return api.list(rows -> rows.getLong(1), "select base from queen.segment where partition_id = ? order by base",
                lane.id());
    }

    /** In how many seconds the lane is looked at again; null when it is not. */
    Long dueIn(Lane lane, String kind) {
        var due = api.list(rows -> rows.getLong(1),
                "select round(extract(epoch from due_at - clock_timestamp())) from queen.lane_upkeep"
                        + " where partition_id = ? and kind = ?",
                lane.id(), kind);
        return due.isEmpty() ? null : due.getFirst();
    }

    /** What is on record of the lane's queue. */
    List<String> minutes(Lane lane) {
        return Rows.strings(api.connection(), "select concat_ws('/', sum(retention), sum(completed_retention),"
                + " sum(eviction)) from queen.retention_minute where queue_id = ?", lane.queueId());
    }

    /** What a routine removed in all shards. */
    private int sum(String routine, Object... values) {
        return api.everyShard(rows -> rows.getInt(1), "select sum from " + api.schema() + "." + routine, values)
                .stream()
                .mapToInt(removed -> removed).sum();
    }
}
