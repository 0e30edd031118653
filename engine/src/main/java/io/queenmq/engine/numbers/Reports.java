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
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the database every few seconds what was counted since. One report is on its way at a time, and it is repeated
 * until it was taken; what happens meanwhile waits for the next. Owned by the engine loop.
 */
public final class Reports {
    private static final Logger log = LoggerFactory.getLogger(Reports.class);

    /** More queues than this wait for the next report, so that none is a burden to PostgreSQL. */
    private static final int QUEUES_MAX = 2_000;
    /** A queue that another server has just created is known within a second; one that stays unknown is gone. */
    private static final long UNKNOWN_NS_MAX = 5_000_000_000L;
    private static final int REPORTS_PER_TIDYING = 12;
    /** Short enough for every bucket of a minute to be told who waits, though nothing else happens to the queue. */
    private static final long PARKED_PERIOD_NS = 30_000_000_000L;
    private static final long REFUSALS_EVERY_NS = 60_000_000_000L;

    private final Numbers numbers;
    private final Catalog catalog;
    private final ServerIdentity server;
    private final ConnectionPool connections;
    private final Timers timers;
    private final BatchMeters meters;
    private final Gauges gauges;
    private final Supplier<Map<String, Integer>> parked;
    private final Batches<Report, Void> reports;
    private final NumbersRoutines routines;
    private final long everyNs;
    private final LongConsumer onStored;
    private long sinceNs;
    private long number;
    private long callsBefore;
    private long errorsBefore;
    private Report pending;
    private boolean isUnderWay;
    private boolean isFinal;
    private Promise<Void> closing;

    /** @param parked how many pops wait, by queue */
    public Reports(EngineContext context, ServerIdentity server, Numbers numbers, Gauges gauges, Catalog catalog,
            Supplier<Map<String, Integer>> parked, Duration every) {
        this.onStored = context.connections().history()::confirm;
        this.server = server;
        this.numbers = numbers;
        this.gauges = gauges;
        this.catalog = catalog;
        this.parked = parked;
        this.connections = context.connections().ofCatalog(Durability.RELAXED);
        this.timers = context.timers();
        this.meters = context.meters();
        this.everyNs = every.toNanos();
        this.sinceNs = context.timers().nowNs();
        this.routines = new NumbersRoutines(context.apiSchema());
        this.reports = new Batches<>(context, Operation.REPORT_NUMBERS, connections, new ReportCarrier());
    }

    public void start() {
        new Pulse(timers, gauges).start();
        timers.every(everyNs, () -> {
            if (closing == null) {
                report();
            }
        });
        timers.every(REFUSALS_EVERY_NS, numbers.refusals()::write);
    }

    /** Reports what is left, unless PostgreSQL is away; completes in any case. */
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
        if (isUnderWay) {
            return;
        }
        if (pending == null) {
            pending = collect();
        }
        isUnderWay = true;
        reports.offer(pending);
    }

    private void onTaken() {
        isUnderWay = false;
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
            case Failure.Refused _ -> log.warn("PostgreSQL refuses a report of numbers: {}", failure.message());
            case Failure.Unavailable _, Failure.Overloaded _, Failure.Maintenance _ ->
                log.debug("a report of numbers has to wait: {}", failure.message());
        }
        isUnderWay = false;
        if (closing != null) {
            closing.tryComplete();
        }
    }

    private Report collect() {
        long period = timers.nowNs() / PARKED_PERIOD_NS;
        parked.get().forEach((queue, count) -> numbers.of(queue).sawParked(count, period));
        Map<UUID, long[]> queues = takeQueues();
        long calls = meters.callCount();
        long errors = meters.errorCount();
        Report report = new Report(++number, sinceNs, queues, numbers.total().take(), calls - callsBefore,
                errors - errorsBefore, gauges.take());
        callsBefore = calls;
        errorsBefore = errors;
        sinceNs = timers.nowNs();
        isFinal = closing != null;
        if (number % REPORTS_PER_TIDYING == 0) {
            numbers.forgetAllBut(queue -> catalog.find(queue) != null);
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

    private final class ReportCarrier implements Carrier<Report, Void> {
        @Override
        public Future<List<Void>> carry(Connection connection, List<Report> batch) {
            return routines.report(connection, batch.getFirst(), server, timers.nowNs())
                    .map(Collections.nCopies(1, null));
        }

        @Override
        public void settle(Report report, Void taken) {
            onStored.accept(report.number());
            onTaken();
        }

        @Override
        public void refuse(Report report, Failure failure) {
            onRefused(failure);
        }
    }
}
