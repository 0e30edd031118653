package io.queenmq.verify.report;

import io.queenmq.verify.check.Findings.Violation;
import io.queenmq.verify.report.Timeline.Interval;
import io.queenmq.verify.report.Timeline.Second;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Writes the result of a run as one HTML page with an SVG timeline, without scripts and without other files. */
public final class HtmlReport {
    private static final int WIDTH = 1_000;
    private static final int PANEL = 120;
    private static final int GAP = 30;

    private HtmlReport() {}

    public static String write(RunResult run) {
        StringBuilder html = new StringBuilder("""
                <!doctype html><html lang="en"><head><meta charset="utf-8"><title>queen verify</title><style>
                body{font:15px system-ui,sans-serif;margin:2em auto;max-width:1040px;color:#222}
                table{border-collapse:collapse}td,th{border:1px solid #ccc;padding:.25em .6em;text-align:left}
                pre{background:#f5f5f5;padding:.8em;overflow:auto;font-size:12px}.bad{color:#b00020}.good{color:#1b7a34}
                svg text{font-size:11px}</style></head><body>
                """);
        html.append("<h1 class=\"").append(run.isHeld() ? "good\">Guarantees held" : "bad\">Violations found")
                .append("</h1><pre>").append(escaped(run.command())).append("</pre>");
        Timeline timeline = run.timeline();
        html.append(String.format(Locale.ROOT,
                "<p>Started %s, seed %d, %d servers, %d shards, load for %d s; %d requests,"
                        + " %d messages pushed, %d deliveries.</p>",
                run.started(), run.seed(), run.servers(), run.shards(), run.loadSeconds(), timeline.lines(),
                timeline.pushed(), timeline.delivered()));
        timeline(html, timeline);
        html.append("<h2>Checks</h2><table><tr><th>check</th><th>guarantee</th><th>violations</th></tr>");
        run.guarantees().forEach((check, guarantee) -> {
            long count = run.findings().counts().getOrDefault(check, 0L);
            html.append("<tr><td>").append(escaped(check)).append("</td><td>").append(escaped(guarantee))
                    .append("</td><td class=\"").append(count == 0 ? "good" : "bad").append("\">").append(count)
                    .append("</td></tr>");
        });
        html.append("</table>");
        run.skipped().forEach(each -> html.append("<p>Skipped: ").append(escaped(each)).append("</p>"));
        List<Violation> kept = run.findings().kept();
        for (int i = 0; i < kept.size(); i++) {
            html.append("<h2 class=\"bad\">").append(escaped(kept.get(i).check())).append("</h2><p>")
                    .append(escaped(kept.get(i).text())).append("</p><pre>");
            run.evidence().get(i).forEach(line -> html.append(escaped(line)).append('\n'));
            html.append("</pre>");
        }
        return html.append("</body></html>\n").toString();
    }

    private static void timeline(StringBuilder html, Timeline timeline) {
        int height = 4 * (PANEL + GAP);
        html.append("<svg viewBox=\"0 0 ").append(WIDTH).append(' ').append(height)
                .append("\" role=\"img\" aria-label=\"Timeline\">");
        double scale = WIDTH / (double) Math.max(1, timeline.seconds().size());
        for (Interval fault : timeline.faults()) {
            html.append(String.format(Locale.ROOT,
                    "<rect x=\"%.1f\" y=\"0\" width=\"%.1f\" height=\"%d\" fill=\"#f6c3c3\""
                            + " fill-opacity=\".6\"><title>%s, %.1f s to %.1f s</title></rect>",
                    fault.begin() * scale, Math.max(1, (fault.end() - fault.begin()) * scale), height,
                    escaped(fault.name()), fault.begin(), fault.end()));
        }
        panel(html, timeline, 0, "messages pushed per second", Second::pushed);
        panel(html, timeline, 1, "messages delivered per second", Second::delivered);
        panel(html, timeline, 2, "p99 of pushes in ms", Second::pushP99Ms);
        panel(html, timeline, 3, "requests without a response per second", Second::unanswered);
        html.append("</svg><p>Red areas are faults; point at one to see its name.</p>");
    }

    private static void panel(StringBuilder html, Timeline timeline, int number, String title,
            ToDoubleFunction<Second> value) {
        List<Second> seconds = timeline.seconds();
        double max = seconds.stream().mapToDouble(value).max().orElse(0);
        int bottom = number * (PANEL + GAP) + PANEL + 15;
        html.append(String.format(Locale.ROOT, "<text x=\"2\" y=\"%d\">%s (maximum %.0f)</text>", bottom - PANEL - 3,
                title, max)).append("<polyline fill=\"none\" stroke=\"#1f5fa8\" points=\"");
        for (int i = 0; i < seconds.size(); i++) {
            double y = bottom - (max == 0 ? 0 : value.applyAsDouble(seconds.get(i)) / max * PANEL);
            html.append(String.format(Locale.ROOT, "%.1f,%.1f ", (i + 0.5) * WIDTH / seconds.size(), y));
        }
        html.append("\"/><line x1=\"0\" x2=\"").append(WIDTH).append("\" y1=\"").append(bottom).append("\" y2=\"")
                .append(bottom).append("\" stroke=\"#999\"/>");
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
