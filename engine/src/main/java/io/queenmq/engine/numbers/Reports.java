package io.queenmq.engine.numbers;

import io.queenmq.engine.batch.BatchMeters;
import io.queenmq.engine.batch.Batches;
import io.queenmq.engine.batch.Carrier;
import io.queenmq.engine.batch.EngineContext;
import io.queenmq.engine.batch.Operation;
import io.queenmq.engine.catalog.Catalog;
import io.queenmq.engine.connection.Connection;
import io.queenmq.engine.connection.ConnectionPool;
import io.queenmq.engine.connection.ConnectionPool.Durability;
import io.queenmq.engine.queue.Queue;
import io.queenmq.engine.reply.Failure;
import io.queenmq.engine.time.Timers;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores the counts in the database every few seconds. At most one report is in flight, and it is repeated until it is
 * stored. Counts that arise meanwhile are part of the next report. Owned by the engine loop.
 */
public final class Reports {
    private static final Logger log = LoggerFactory.getLogger(Reports.class);

    /** The maximum number of queues in one report, which bounds the load of PostgreSQL. Others are part of the next report. */
    private static final int QUEUES_MAX = 2_000;
    /**
     * A queue that another server has just created is in the catalog within a second. A queue that is still missing
     * after this time was deleted.
     */
    private static final long UNKNOWN_NS_MAX = 5_000_000_000L;
    private static final int REPORTS_PER_TIDYING = 12;
    /** Shorter than a bucket of one minute, so that each bucket contains the waiting pops of an otherwise idle queue. */
    private static final long WAITING_POPS_PERIOD_NS = 30_000_000_000L;
    private static final long REFUSALS_EVERY_NS = 60_000_000_000L;

    private final Numbers numbers;
    private final Catalog catalog;
    private final ServerIdentity server;
    private final ConnectionPool connections;
    private final Timers timers;
    private final BatchMeters meters;
    private final Gauges gauges;
    private final Supplier<Map<String, Integer>> waitingPops;
    private final Batches<Report, Report> reports;
    private final NumbersRoutines routines;
    private final long everyNs;
    private final Gauges.Series stopped;
    private final LongConsumer onStored;
    private long sinceNs;
    private long number;
    private long callsBefore;
    private long errorsBefore;
    private @Nullable Report pending;
    private boolean isInFlight;
    private boolean isFinal;
    private @Nullable Promise<Void> closing;

    /** @param waitingPops the number of waiting pops by queue */
    public Reports(EngineContext context, ServerIdentity server, Numbers numbers, Gauges gauges, Catalog catalog,
            Supplier<Map<String, Integer>> waitingPops, Duration every) {
        this.onStored = context.connections().history()::confirm;
        this.server = server;
        this.numbers = numbers;
        this.gauges = gauges;
        this.catalog = catalog;
        this.waitingPops = waitingPops;
        this.connections = context.connections().ofCatalog(Durability.RELAXED);
        this.timers = context.timers();
        this.meters = context.meters();
        this.everyNs = every.toNanos();
        // The database determines from these gauges whether a server runs.
        gauges.add("server.report_seconds", () -> every.toNanos() / 1e9);
        this.stopped = gauges.add("server.stopped");
        this.sinceNs = context.timers().nowNs();
        this.routines = new NumbersRoutines(context.apiSchema());
        this.reports = new Batches<>(context, Operation.REPORT_NUMBERS, connections, new ReportCarrier());
    }

    public void start() {
        new GaugeSampler(timers, gauges).start();
        timers.every(everyNs, () -> {
            if (closing == null) {
                report();
            }
        });
        timers.every(REFUSALS_EVERY_NS, numbers.refusals()::write);
    }

    /** Stores the remaining counts, unless PostgreSQL is unavailable. Always completes successfully. */
    public Future<Void> close() {
        closing = Promise.promise();
        numbers.refusals().write();
        if (!connections.isConnected()) {
            return Future.succeededFuture();
        }
        report();
        return closing.future();
    }

    private void report() {
        if (isInFlight) {
            return;
        }
        if (pending == null) {
            pending = collect();
        }
        isInFlight = true;
        reports.offer(pending);
    }

    private void onReported() {
        isInFlight = false;
        pending = null;
        if (closing != null) {
            if (isFinal && numbers.touched().isEmpty()) {
                closing.tryComplete();
            } else {
                report();
            }
        }
    }

    private void onRefused(Failure failure) {
        switch (failure) {
            case Failure.Refused _ ->
                log.warn("report of counts rejected by PostgreSQL, will retry: {}", failure.message());
            case Failure.Unavailable _, Failure.Overloaded _, Failure.Maintenance _ ->
                log.debug("report of counts failed, will retry: {}", failure.message());
        }
        isInFlight = false;
        if (closing != null) {
            closing.tryComplete();
        }
    }

    private Report collect() {
        long period = timers.nowNs() / WAITING_POPS_PERIOD_NS;
        waitingPops.get().forEach((queue, count) -> numbers.of(queue).recordWaitingPops(count, period));
        Map<UUID, long[]> queues = takeQueues();
        if (closing != null) {
            stopped.sample(1);
        }
        long calls = meters.callCount();
        long errors = meters.errorCount();
        Report report = new Report(++number, sinceNs, queues, numbers.total().take(), calls - callsBefore,
                errors - errorsBefore, gauges.take());
        callsBefore = calls;
        errorsBefore = errors;
        sinceNs = timers.nowNs();
        isFinal = closing != null;
        if (number % REPORTS_PER_TIDYING == 0) {
            numbers.removeUnknown(queue -> catalog.find(queue) != null);
        }
        return report;
    }

    private Map<UUID, long[]> takeQueues() {
        ArrayDeque<QueueNumbers> touched = numbers.touched();
        Map<UUID, long[]> taken = new HashMap<>();
        for (int left = touched.size(); left > 0 && taken.size() < QUEUES_MAX; left--) {
            QueueNumbers next = touched.poll();
            Queue queue = catalog.find(next.queue());
            if (queue != null) {
                taken.merge(queue.id(), next.take(), Counts::sum);
            } else if (closing == null && next.carryOver() <= 1 + UNKNOWN_NS_MAX / everyNs) {
                touched.add(next);
            } else {
                next.take();
                numbers.forget(next);
            }
        }
        return taken;
    }

    private final class ReportCarrier implements Carrier<Report, Report> {
        @Override
        public Future<List<Report>> carry(Connection connection, List<Report> batch) {
            return routines.report(connection, batch.getFirst(), server, timers.nowNs()).map(batch);
        }

        @Override
        public void settle(Report report, Report stored) {
            onStored.accept(report.number());
            onReported();
        }

        @Override
        public void refuse(Report report, Failure failure) {
            onRefused(failure);
        }
    }
}
