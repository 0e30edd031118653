package io.queenmq.engine.numbers;

import io.queenmq.engine.connection.Connection;
import io.queenmq.engine.numbers.Gauges.Measured;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Calls the routines report_numbers and touch_partitions. */
final class NumbersRoutines {
    private final String reportNumbers;
    private final String touchPartitions;

    NumbersRoutines(String api) {
        this.reportNumbers = "select " + api + ".report_numbers($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13,"
                + " $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32)";
        this.touchPartitions = "select " + api + ".touch_partitions($1, $2)";
    }

    /** Records that the partitions must be counted again. */
    Future<Void> touch(Connection connection, TouchedPartitions.Batch batch) {
        return connection
                .call(touchPartitions, Tuple.tuple().addValue(batch.queueByPartition().keySet().toArray(UUID[]::new))
                        .addValue(batch.queues().toArray(String[]::new)))
                .mapEmpty();
    }

    /** Adds the counts of the report to the buckets. A report that is repeated changes nothing. */
    Future<Void> report(Connection connection, Report report, ServerIdentity server, long nowNs) {
        Tuple tuple = Tuple.tuple().addUUID(server.id()).addString(server.hostname()).addInteger(server.port())
                .addString(server.workerId()).addLong(server.pid()).addLong((nowNs - server.startedNs()) / 1_000_000)
                .addLong(report.number()).addLong((nowNs - report.sinceNs()) / 1_000_000);
        tuple.addValue(report.queues().keySet().toArray(UUID[]::new));
        for (int i = 0; i < Counts.SIZE; i++) {
            int column = i;
            tuple.addValue(report.queues().values().stream().map(counts -> counts[column]).toArray(Long[]::new));
        }
        tuple.addValue(serverCounts(report));
        addRefusals(tuple, report);
        tuple.addValue(report.gauges().stream().map(Measured::name).toArray(String[]::new))
                .addValue(report.gauges().stream().map(Measured::samples).toArray(Long[]::new))
                .addValue(report.gauges().stream().map(Measured::sum).toArray(Double[]::new))
                .addValue(report.gauges().stream().map(Measured::min).toArray(Double[]::new))
                .addValue(report.gauges().stream().map(Measured::max).toArray(Double[]::new))
                .addValue(report.gauges().stream().map(Measured::last).toArray(Double[]::new));
        return connection.call(reportNumbers, tuple).mapEmpty();
    }

    private static void addRefusals(Tuple tuple, Report report) {
        List<UUID> refusing = new ArrayList<>();
        List<String> reasons = new ArrayList<>();
        List<Long> counts = new ArrayList<>();
        report.queues().forEach((queue, taken) -> {
            for (PushRefusal reason : PushRefusal.values()) {
                long count = Counts.refused(taken, reason);
                if (count > 0) {
                    refusing.add(queue);
                    reasons.add(reason.label());
                    counts.add(count);
                }
            }
        });
        tuple.addValue(refusing.toArray(UUID[]::new)).addValue(reasons.toArray(String[]::new))
                .addValue(counts.toArray(Long[]::new));
    }

    /** Returns the counts of the server: those of a queue without the waiting pops, which are a gauge of the server. */
    private static Long[] serverCounts(Report report) {
        Long[] counts = new Long[Counts.WAITING_POPS + 2];
        for (int i = 0; i < Counts.WAITING_POPS; i++) {
            counts[i] = report.total()[i];
        }
        counts[Counts.WAITING_POPS] = report.calls();
        counts[Counts.WAITING_POPS + 1] = report.errors();
        return counts;
    }
}
