package io.queenmq.schema;

import java.util.List;

/** Passes of upkeep, and lanes that have been there for a while. */
record Upkeep(Api api) {
    /** What the passes removed, over all transactions. */
    record Pass(long retention, long completedRetention, long evicted) {}

    Pass retain() {
        api.schedule("retention");
        long retention = 0;
        long completed = 0;
        for (var step = api.applyRetention(100, 1000); step.lanes() > 0; step = api.applyRetention(100, 1000)) {
            retention += step.retention();
            completed += step.completedRetention();
        }
        return new Pass(retention, completed, 0);
    }

    Pass evict() {
        api.schedule("eviction");
        long evicted = 0;
        for (var step = api.applyEviction(100, 1000); step.lanes() > 0; step = api.applyEviction(100, 1000)) {
            evicted += step.evicted();
        }
        return new Pass(0, 0, evicted);
    }

    /** Everything in the lane happened that much earlier. */
    void age(Lane lane, int seconds) {
        var ago = " - interval '" + seconds + " seconds'";
        api.execute("update queen.segment set created_at = created_at" + ago + " where partition_id = '" + lane.id()
                + "'");
        api.execute("update queen.partition set last_push_at = last_push_at" + ago + ", active_at = active_at" + ago
                + " where id = '" + lane.id() + "'");
        api.execute("update queen.lane_upkeep set due_at = due_at" + ago + " where partition_id = '" + lane.id() + "'");
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
}
