package io.queenmq.engine.pop;

import io.queenmq.engine.batch.Batches;
import io.queenmq.engine.batch.Carrier;
import io.queenmq.engine.batch.EngineContext;
import io.queenmq.engine.batch.Operation;
import io.queenmq.engine.connection.Connection;
import io.queenmq.engine.connection.ConnectionPool;
import io.queenmq.engine.connection.ConnectionPool.Durability;
import io.queenmq.engine.lease.LeasedRange;
import io.queenmq.engine.lease.Leases;
import io.queenmq.engine.numbers.ServerIdentity;
import io.queenmq.engine.reply.Failure;
import io.queenmq.engine.time.Timers;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Tells the database every second who consumes on this server, and hears from it which leases have ended elsewhere. A
 * server without consumers says so once. One report is on its way at a time; one that is lost is made up for by the next.
 * Owned by the engine loop.
 */
public final class ConsumerHeartbeat {
    private static final long EVERY_NS = 1_000_000_000;

    private final ServerIdentity server;
    private final Pops pops;
    private final Leases leases;
    private final ConnectionPool connections;
    private final Timers timers;
    private final String routine;
    private final Batches<ConsumerReport, Set<Integer>> reports;
    private boolean isUnderWay;
    private boolean isNobodySaid = true;
    private Promise<Void> closing;

    public ConsumerHeartbeat(EngineContext context, ServerIdentity server, Pops pops, Leases leases) {
        this.server = server;
        this.pops = pops;
        this.leases = leases;
        this.connections = context.connections().ofCatalog(Durability.RELAXED);
        this.timers = context.timers();
        this.routine = "select index from " + context.apiSchema()
                + ".report_presence($1, $2, $3, $4, $5, $6, $7, $8, $9)";
        this.reports = new Batches<>(context, Operation.REPORT_PRESENCE, connections, new ReportCarrier());
    }

    public void start() {
        timers.every(EVERY_NS, () -> {
            if (closing == null) {
                report();
            }
        });
    }

    /** Says that nobody waits here any more, unless PostgreSQL is away; completes in any case. */
    public Future<Void> close() {
        closing = Promise.promise();
        if (!connections.isConnected()) {
            return Future.succeededFuture();
        }
        report();
        if (!isUnderWay) {
            closing.complete();
        }
        return closing.future();
    }

    private void report() {
        if (isUnderWay) {
            return;
        }
        ConsumerReport report = new ConsumerReport(timers.nowNs());
        pops.addTo(report);
        leases.forEach(report::holds);
        if (!report.isNobody() || !isNobodySaid) {
            isUnderWay = true;
            isNobodySaid = report.isNobody();
            reports.offer(report);
        }
    }

    private void onTaken(ConsumerReport report, Set<Integer> over) {
        List<ConsumerReport.Doubt> doubts = report.doubts();
        for (int i = 0; i < doubts.size(); i++) {
            ConsumerReport.Doubt doubt = doubts.get(i);
            LeasedRange range = leases.find(doubt.leaseId(), doubt.partitionId());
            if (range != null && over.contains(i)) {
                range.end(timers.nowNs());
            } else if (range != null) {
                range.heardOf(timers.nowNs());
            }
        }
        onDone();
    }

    private void onDone() {
        isUnderWay = false;
        if (closing != null) {
            closing.tryComplete();
        }
    }

    private final class ReportCarrier implements Carrier<ConsumerReport, Set<Integer>> {
        @Override
        public Future<List<Set<Integer>>> carry(Connection connection, List<ConsumerReport> batch) {
            return connection.call(routine, batch.getFirst().addTo(Tuple.of(server.id()))).map(rows -> {
                Set<Integer> over = new HashSet<>();
                for (Row row : rows) {
                    over.add(row.getInteger(0) - 1);
                }
                return List.of(over);
            });
        }

        @Override
        public void settle(ConsumerReport report, Set<Integer> over) {
            onTaken(report, over);
        }

        @Override
        public void refuse(ConsumerReport report, Failure failure) {
            isNobodySaid = false;
            onDone();
        }
    }
}
