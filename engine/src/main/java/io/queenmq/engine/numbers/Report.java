package io.queenmq.engine.numbers;

import io.queenmq.engine.numbers.Gauges.Measured;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * What a server counted and measured in a few seconds, to be added to the buckets once.
 *
 * @param number tells it apart from the other reports of this server, so that it can be repeated without harm
 * @param sinceNs when counting began
 */
record Report(long number, long sinceNs, Map<UUID, long[]> queues, long[] total, long calls, long errors,
        List<Measured> gauges) {

    /** The arguments of the routine report_numbers. */
    Tuple arguments(ServerIdentity server, long nowNs) {
        Tuple tuple = Tuple.tuple().addUUID(server.id()).addString(server.hostname()).addInteger(server.port())
                .addString(server.workerId()).addLong(server.pid()).addLong((nowNs - server.startedNs()) / 1_000_000)
                .addLong(number).addLong((nowNs - sinceNs) / 1_000_000);
        tuple.addValue(queues.keySet().toArray(UUID[]::new));
        for (int i = 0; i < Counts.SIZE; i++) {
            int column = i;
            tuple.addValue(queues.values().stream().map(counts -> counts[column]).toArray(Long[]::new));
        }
        tuple.addValue(serverCounts());
        addRefusals(tuple);
        return tuple.addValue(gauges.stream().map(Measured::name).toArray(String[]::new))
                .addValue(gauges.stream().map(Measured::samples).toArray(Long[]::new))
                .addValue(gauges.stream().map(Measured::sum).toArray(Double[]::new))
                .addValue(gauges.stream().map(Measured::min).toArray(Double[]::new))
                .addValue(gauges.stream().map(Measured::max).toArray(Double[]::new))
                .addValue(gauges.stream().map(Measured::last).toArray(Double[]::new));
    }

    private void addRefusals(Tuple tuple) {
        List<UUID> refusing = new ArrayList<>();
        List<String> reasons = new ArrayList<>();
        List<Long> counts = new ArrayList<>();
        queues.forEach((queue, taken) -> {
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

    /** As of a queue, but for how many wait, which is a gauge of the server. */
    private Long[] serverCounts() {
        Long[] counts = new Long[Counts.PARKED + 2];
        for (int i = 0; i < Counts.PARKED; i++) {
            counts[i] = total[i];
        }
        counts[Counts.PARKED] = calls;
        counts[Counts.PARKED + 1] = errors;
        return counts;
    }
}
