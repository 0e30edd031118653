package io.queenmq.verify.report;

import io.queenmq.verify.check.Findings.Violation;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Writes the result of a run as Markdown. */
public final class MarkdownReport {
    private MarkdownReport() {}

    public static String write(RunResult run) {
        StringBuilder text = new StringBuilder("# queen verify: ")
                .append(run.isHeld() ? "guarantees held" : "violations found").append("\n\n").append("    ")
                .append(run.command()).append("\n\n");
        Timeline timeline = run.timeline();
        text.append(String.format(Locale.ROOT,
                "Started %s, seed %d, %d server%s, %d shard%s, load for %d s. The history has %d lines:"
                        + " %d messages were pushed, %d deliveries received.%n%n",
                run.started().truncatedTo(ChronoUnit.SECONDS), run.seed(), run.servers(), run.servers() == 1 ? "" : "s",
                run.shards(), run.shards() == 1 ? "" : "s", run.loadSeconds(), timeline.lines(), timeline.pushed(),
                timeline.delivered()));
        checks(text, run);
        faults(text, run);
        requests(text, timeline);
        violations(text, run);
        return text.toString();
    }

    private static void checks(StringBuilder text, RunResult run) {
        text.append("## Checks\n\n| check | guarantee | violations |\n|---|---|---|\n");
        run.guarantees().forEach((check, guarantee) -> text.append("| ").append(check).append(" | ").append(guarantee)
                .append(" | ").append(run.findings().counts().getOrDefault(check, 0L)).append(" |\n"));
    }

    private static void faults(StringBuilder text, RunResult run) {
        text.append("\n## Faults\n\n");
        Map<String, Integer> counts = new TreeMap<>();
        run.timeline().faults()
                .forEach(each -> counts.merge(each.name(), each.error().isEmpty() ? 1 : 0, Integer::sum));
        if (counts.isEmpty()) {
            text.append("None.\n");
        } else {
            text.append("| fault | injected |\n|---|---|\n");
            counts.forEach((name, count) -> text.append("| ").append(name).append(" | ").append(count).append(" |\n"));
        }
        run.skipped().forEach(each -> text.append("\nSkipped: ").append(each).append("\n"));
    }

    private static void requests(StringBuilder text, Timeline timeline) {
        text.append("\n## Requests\n\n| operation | lines |\n|---|---|\n");
        new TreeMap<>(timeline.operations())
                .forEach((op, count) -> text.append("| ").append(op).append(" | ").append(count).append(" |\n"));
    }

    private static void violations(StringBuilder text, RunResult run) {
        List<Violation> kept = run.findings().kept();
        for (int i = 0; i < kept.size(); i++) {
            text.append(i == 0 ? "\n## Violations\n" : "").append("\n### ").append(kept.get(i).check()).append("\n\n")
                    .append(kept.get(i).text()).append("\n\n```\n");
            run.evidence().get(i).forEach(line -> text.append(line).append('\n'));
            text.append("```\n");
        }
    }
}
