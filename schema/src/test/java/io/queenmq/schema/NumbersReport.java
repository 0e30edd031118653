package io.queenmq.schema;

import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * A report of numbers, as a server sends it. All counts are equal, which is sufficient to verify the target columns.
 *
 * @param ageMs how long ago counting began
 * @param gauges the gauges, each once
 */
record NumbersReport(UUID server, String worker, long number, long ageMs, List<UUID> queues, long count,
        List<String> gauges) {
    private static final int QUEUE_COLUMNS = 13;
    private static final int SERVER_COLUMNS = 14;

    static NumbersReport of(UUID server, long number, long count, UUID... queues) {
        return new NumbersReport(server, "worker-1", number, 0, List.of(queues), count, List.of("loop.lag_ms"));
    }

    NumbersReport from(String other) {
        return new NumbersReport(server, other, number, ageMs, queues, count, gauges);
    }

    NumbersReport aged(long seconds) {
        return new NumbersReport(server, worker, number, seconds * 1000, queues, count, gauges);
    }

    /** Returns true if it was new. */
    boolean send(Api api) {
        String columns = "q.counts, ".repeat(QUEUE_COLUMNS);
        String ids = queues.stream().map(UUID::toString).collect(Collectors.joining(",", "{", "}"));
        String names = gauges.stream().collect(Collectors.joining(",", "{", "}"));
        return api.list(rows -> rows.getBoolean(1),
                """
                select %s.report_numbers(?, 'host', 6632, ?, 1, 1000, ?, ?, ?::uuid[], %s
                       array_fill(?::bigint, array[%d]), ?::uuid[], q.reasons, q.counts, ?::text[],
                       g.samples, g.v, g.v, g.v, g.v)
                from (select array_fill(?::bigint, array[?]) as counts, array_fill('full'::text, array[?]) as reasons) q,
                     (select array_fill(1::bigint, array[?]) as samples, array_fill(?::float8, array[?]) as v) g"""
                        .formatted(api.schema(), columns, SERVER_COLUMNS),
                server, worker, number, ageMs, ids, count, ids, names, count, queues.size(), queues.size(),
                gauges.size(), (double) count, gauges.size()).getFirst();
    }
}
