package io.queenmq.server.upkeep;

import io.queenmq.server.config.UpkeepConfig;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/** What upkeep does: passes made of small transactions, each a call of one routine. Owned by the upkeep thread. */
final class UpkeepJobs {
    /** So many that most passes need one transaction, so few that no lane is locked for long. */
    private static final int LANES_PER_CALL = 100;
    private static final int LANES_PER_SCHEDULE = 10_000;
    private static final int ROWS_PER_CALL = 1_000;

    private final UpkeepConfig config;
    private final UpkeepMeters meters;
    private final BooleanSupplier isStopping;
    private final String schedule;
    private final String retain;
    private final String evict;
    private final String deleteIdleLanes;
    private final String forgetLeases;
    private final String rollOff;
    private final String sweepState;

    UpkeepJobs(String api, UpkeepConfig config, UpkeepMeters meters, BooleanSupplier isStopping) {
        this.config = config;
        this.meters = meters;
        this.isStopping = isStopping;
        this.schedule = "select " + api + ".schedule_upkeep($1, $2, $3)";
        this.retain = "select lanes, retention, completed_retention from " + api + ".apply_retention($1, $2)";
        this.evict = "select lanes, evicted from " + api + ".apply_eviction($1, $2)";
        this.deleteIdleLanes = "select lanes, deleted from " + api + ".delete_idle_lanes($1, $2)";
        this.forgetLeases = "select " + api + ".forget_leases($1)";
        this.rollOff = "select " + api + ".roll_off($1, $2)";
        this.sweepState = "select " + api + ".sweep_state($1)";
    }

    List<UpkeepJob> all() {
        return List.of(new UpkeepJob("eviction", config.evictionInterval(), this::evict),
                new UpkeepJob("retention", config.retentionInterval(), this::retain),
                new UpkeepJob("idle_lanes", config.retentionInterval(), this::deleteIdleLanes),
                new UpkeepJob("roll_off", config.retentionInterval(), this::rollOff));
    }

    private void evict(UpkeepSession session) throws TimeoutException {
        schedule(session, "eviction");
        for (boolean isMore = true; isMore && !isStopping.getAsBoolean();) {
            Row done = session.call(evict, Tuple.of(LANES_PER_CALL, config.evictionBatch()));
            meters.removed("eviction", done.getLong(1));
            isMore = done.getInteger(0) > 0;
        }
    }

    private void retain(UpkeepSession session) throws TimeoutException {
        schedule(session, "retention");
        for (boolean isMore = true; isMore && !isStopping.getAsBoolean();) {
            Row done = session.call(retain, Tuple.of(LANES_PER_CALL, config.retentionBatch()));
            meters.removed("retention", done.getLong(1));
            meters.removed("completed_retention", done.getLong(2));
            isMore = done.getInteger(0) > 0;
        }
    }

    private void schedule(UpkeepSession session, String kind) throws TimeoutException {
        OffsetDateTime passAt = session.call("select clock_timestamp()", Tuple.tuple()).getOffsetDateTime(0);
        boolean isThrough = false;
        while (!isThrough && !isStopping.getAsBoolean()) {
            isThrough = session.call(schedule, Tuple.of(kind, passAt, LANES_PER_SCHEDULE)).getBoolean(0);
        }
    }

    private void deleteIdleLanes(UpkeepSession session) throws TimeoutException {
        for (boolean isMore = true; isMore && !isStopping.getAsBoolean();) {
            Row done = session.call(deleteIdleLanes, Tuple.of(config.idleLaneDays(), LANES_PER_CALL));
            meters.removed("lanes", done.getInteger(1));
            isMore = done.getInteger(0) > 0;
        }
    }

    private void rollOff(UpkeepSession session) throws TimeoutException {
        repeat(session, forgetLeases, Tuple.of(ROWS_PER_CALL), "leases");
        repeat(session, rollOff, Tuple.of(config.metricsDays(), ROWS_PER_CALL), "figures");
        repeat(session, sweepState, Tuple.of(ROWS_PER_CALL), "stream_state");
    }

    /** Calls a routine that answers how much it removed, until that is less than it may. */
    private void repeat(UpkeepSession session, String sql, Tuple arguments, String kind) throws TimeoutException {
        for (boolean isMore = true; isMore && !isStopping.getAsBoolean();) {
            int removed = session.call(sql, arguments).getInteger(0);
            meters.removed(kind, removed);
            isMore = removed >= ROWS_PER_CALL;
        }
    }
}
