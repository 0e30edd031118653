package io.queenmq.server.upkeep;

import io.queenmq.engine.cipher.PayloadCipher;
import io.queenmq.engine.connection.SqlFailure;
import io.queenmq.engine.time.Clock;
import io.queenmq.server.config.UpkeepConfig;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The jobs of upkeep. A pass of a job consists of small transactions, each a call of one routine. Owned by the upkeep thread. */
final class UpkeepJobs {
    private static final Logger log = LoggerFactory.getLogger(UpkeepJobs.class);

    /** Enough that most passes need one transaction, and few enough that no partition is locked for long. */
    private static final int PARTITIONS_PER_CALL = 100;
    private static final int PARTITIONS_PER_SCHEDULE = 10_000;
    private static final int ROWS_PER_CALL = 1_000;
    private static final int PARTITIONS_PER_PAGE = 1_000;
    private static final Duration OPERATIONS_EVERY = Duration.ofSeconds(1);
    private static final Duration BINDING_EVERY = Duration.ofMinutes(1);
    /** After this time, the other jobs run. */
    private static final Duration OPERATIONS_FOR = Duration.ofSeconds(5);

    private final UpkeepConfig config;
    private final UpkeepMeters meters;
    private final BooleanSupplier isStopping;
    private final String schedule;
    private final String retain;
    private final String evict;
    private final String deleteIdlePartitions;
    private final String forgetLeases;
    private final String rollOff;
    private final String sweepState;
    private final String rollOffAudit;
    private final String nextOperation;
    private final String continueOperation;
    private final String bindMessages;
    private final KeySweep keySweep;

    UpkeepJobs(String api, UpkeepConfig config, PayloadCipher cipher, UpkeepMeters meters, BooleanSupplier isStopping) {
        this.keySweep = new KeySweep(api, cipher, config.isReencrypting(), meters, isStopping);
        this.config = config;
        this.meters = meters;
        this.isStopping = isStopping;
        this.schedule = "select " + api + ".schedule_upkeep($1, $2, $3)";
        this.retain = "select partitions, retention, completed_retention from " + api + ".apply_retention($1, $2)";
        this.evict = "select partitions, evicted from " + api + ".apply_eviction($1, $2)";
        this.deleteIdlePartitions = "select partitions, deleted from " + api + ".delete_idle_partitions($1, $2)";
        this.forgetLeases = "select " + api + ".delete_lease_partitions($1)";
        this.rollOff = "select " + api + ".roll_off($1, $2)";
        this.nextOperation = "select " + api + ".next_operation($1)";
        this.continueOperation = "select " + api + ".continue_operation($1, $2)";
        this.rollOffAudit = "select " + api + ".roll_off_audit($1, $2)";
        this.bindMessages = "select " + api + ".bind_messages()";
        this.sweepState = "select " + api + ".sweep_state($1)";
    }

    List<UpkeepJob> all() {
        return List.of(new UpkeepJob("operations", OPERATIONS_EVERY, false, this::continueOperations),
                new UpkeepJob("binding", BINDING_EVERY, false, this::bindMessages),
                new UpkeepJob("keys", config.keySweepInterval(), keySweep::run),
                new UpkeepJob("eviction", config.eviction().interval(), this::evict),
                new UpkeepJob("retention", config.retention().interval(), this::retain),
                new UpkeepJob("idle_partitions", config.retention().interval(), this::deleteIdlePartitions),
                new UpkeepJob("roll_off", config.retention().interval(), this::rollOff),
                new UpkeepJob("audit", config.retention().interval(), false, this::rollOffAudit));
    }

    /**
     * Continues operations of operators that their server has not finished. An operation that cannot continue delays no
     * other.
     */
    private void continueOperations(UpkeepSession session) throws TimeoutException {
        long untilNs = Clock.SYSTEM.nowNs() + OPERATIONS_FOR.toNanos();
        List<UUID> skipped = new ArrayList<>();
        while (!isStopping.getAsBoolean() && Clock.SYSTEM.nowNs() - untilNs < 0) {
            UUID next = session.call(nextOperation, Tuple.of(skipped.toArray(UUID[]::new))).getUUID(0);
            if (next == null) {
                return;
            }
            if (!hasContinued(session, next)) {
                skipped.add(next);
            }
        }
    }

    private boolean hasContinued(UpkeepSession session, UUID operation) throws TimeoutException {
        try {
            return session.call(continueOperation, Tuple.of(operation, PARTITIONS_PER_PAGE)).getBoolean(0);
        } catch (PgException e) {
            log.warn("operation {} could not continue, will retry: {}", operation, SqlFailure.messageOf(e));
            return false;
        }
    }

    /**
     * Binds messages to their positions. After an upgrade, this must wait until all servers of the earlier release have
     * stopped.
     */
    private void bindMessages(UpkeepSession session) throws TimeoutException {
        session.call(bindMessages, Tuple.tuple());
    }

    private void evict(UpkeepSession session) throws TimeoutException {
        schedule(session, "eviction");
        for (boolean isMore = true; isMore && !isStopping.getAsBoolean();) {
            Row done = session.call(evict, Tuple.of(PARTITIONS_PER_CALL, config.eviction().batch()));
            meters.removed("eviction", done.getLong(1));
            isMore = done.getInteger(0) > 0;
        }
    }

    private void retain(UpkeepSession session) throws TimeoutException {
        schedule(session, "retention");
        for (boolean isMore = true; isMore && !isStopping.getAsBoolean();) {
            Row done = session.call(retain, Tuple.of(PARTITIONS_PER_CALL, config.retention().batch()));
            meters.removed("retention", done.getLong(1));
            meters.removed("completed_retention", done.getLong(2));
            isMore = done.getInteger(0) > 0;
        }
    }

    private void schedule(UpkeepSession session, String kind) throws TimeoutException {
        OffsetDateTime passAt = session.call("select clock_timestamp()", Tuple.tuple()).getOffsetDateTime(0);
        boolean isComplete = false;
        while (!isComplete && !isStopping.getAsBoolean()) {
            isComplete = session.call(schedule, Tuple.of(kind, passAt, PARTITIONS_PER_SCHEDULE)).getBoolean(0);
        }
    }

    private void deleteIdlePartitions(UpkeepSession session) throws TimeoutException {
        for (boolean isMore = true; isMore && !isStopping.getAsBoolean();) {
            Row done = session.call(deleteIdlePartitions,
                    Tuple.of(config.daysKept().idlePartitions(), PARTITIONS_PER_CALL));
            meters.removed("partitions", done.getInteger(1));
            isMore = done.getInteger(0) > 0;
        }
    }

    private void rollOff(UpkeepSession session) throws TimeoutException {
        repeat(session, forgetLeases, Tuple.of(ROWS_PER_CALL), "leases");
        repeat(session, rollOff, Tuple.of(config.daysKept().metrics(), ROWS_PER_CALL), "figures");
        repeat(session, sweepState, Tuple.of(ROWS_PER_CALL), "stream_state");
    }

    private void rollOffAudit(UpkeepSession session) throws TimeoutException {
        repeat(session, rollOffAudit, Tuple.of(config.daysKept().audit(), ROWS_PER_CALL), "audit");
    }

    /** Repeats a routine that returns the number of removed rows, until it removes fewer than its limit. */
    private void repeat(UpkeepSession session, String sql, Tuple arguments, String kind) throws TimeoutException {
        for (boolean isMore = true; isMore && !isStopping.getAsBoolean();) {
            int removed = session.call(sql, arguments).getInteger(0);
            meters.removed(kind, removed);
            isMore = removed >= ROWS_PER_CALL;
        }
    }
}
