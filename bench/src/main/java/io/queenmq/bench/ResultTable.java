package io.queenmq.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Formats results as a table. */
final class ResultTable {
    private static final List<String> HEADS = List.of("scenario", "", "msg/s", "requests/s", "p50 ms", "p99 ms",
            "server µs/msg", "PostgreSQL µs/msg", "commits/msg", "errors");
    private static final int TEXT_COLUMNS = 2;
    private static final String UNKNOWN = "–";

    private ResultTable() {}

    static String of(List<ScenarioResult> results) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(HEADS);
        results.forEach(result -> rows.add(row(result)));
        StringBuilder table = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < row.size(); column++) {
                String pattern = column < TEXT_COLUMNS
                        ? "%-" + width(rows, column) + "s"
                        : "%" + width(rows, column) + "s";
                line.append(column == 0 ? "" : "  ").append(String.format(pattern, row.get(column)));
            }
            table.append(line.toString().stripTrailing()).append('\n');
        }
        return table.toString();
    }

    private static List<String> row(ScenarioResult result) {
        return List.of(result.scenario().name(), result.scenario().title(), number("%,.0f", result.messagesPerSecond()),
                number("%,.0f", result.requestsPerSecond()), number("%.1f", result.p50Ms()),
                number("%.1f", result.p99Ms()), number("%.1f", result.serverCpuMicros()),
                number("%.1f", result.postgresCpuMicros()), number("%.3f", result.commitsPerMessage()),
                String.format(Locale.ROOT, "%,d", result.errors()));
    }

    private static String number(String pattern, double value) {
        return Double.isNaN(value) ? UNKNOWN : String.format(Locale.ROOT, pattern, value);
    }

    private static int width(List<List<String>> rows, int column) {
        return Math.max(1, rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0));
    }
}
