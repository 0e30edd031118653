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
import org.jspecify.annotations.Nullable;

/**
 * Reports the consumers of this server to the database every second, and gets the leases that ended on other servers. A server
 * without consumers reports that once. At most one report is in flight; a lost one is superseded by the next. Owned by the
 * engine loop.
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
    private boolean isInFlight;
    private boolean isEmptyReported = true;
    private @Nullable Promise<Void> closing;

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

    /** Sends a last report, unless PostgreSQL is unavailable. Always completes. */
    public Future<Void> close() {
        Promise<Void> closed = Promise.promise();
        closing = closed;
        if (!connections.isConnected()) {
            return Future.succeededFuture();
        }
        report();
        if (!isInFlight) {
            closed.complete();
        }
        return closed.future();
    }

    private void report() {
        if (isInFlight) {
            return;
        }
        ConsumerReport report = new ConsumerReport(timers.nowNs());
        pops.addTo(report);
        leases.forEach(report::addLease);
        if (!report.isEmpty() || !isEmptyReported) {
            isInFlight = true;
            isEmptyReported = report.isEmpty();
            reports.offer(report);
        }
    }

    private void onReported(ConsumerReport report, Set<Integer> ended) {
        List<ConsumerReport.UnconfirmedLease> unconfirmed = report.unconfirmed();
        for (int i = 0; i < unconfirmed.size(); i++) {
            ConsumerReport.UnconfirmedLease each = unconfirmed.get(i);
            LeasedRange range = leases.find(each.leaseId(), each.partitionId());
            if (range != null && ended.contains(i)) {
                range.end(timers.nowNs());
            } else if (range != null) {
                range.confirm(timers.nowNs());
            }
        }
        onDone();
    }

    private void onDone() {
        isInFlight = false;
        if (closing != null) {
            closing.tryComplete();
        }
    }

    private final class ReportCarrier implements Carrier<ConsumerReport, Set<Integer>> {
        @Override
        public Future<List<Set<Integer>>> carry(Connection connection, List<ConsumerReport> batch) {
            return connection.call(routine, batch.getFirst().addTo(Tuple.of(server.id()))).map(rows -> {
                Set<Integer> ended = new HashSet<>();
                for (Row row : rows) {
                    ended.add(row.getInteger(0) - 1);
                }
                return List.of(ended);
            });
        }

        @Override
        public void settle(ConsumerReport report, Set<Integer> ended) {
            onReported(report, ended);
        }

        @Override
        public void refuse(ConsumerReport report, Failure failure) {
            isEmptyReported = false;
            onDone();
        }
    }
}
