package io.queenmq.cli;

import io.queenmq.cli.QueueFile.Wanted;
import io.queenmq.cli.output.Column;
import io.queenmq.client.operator.QueueDetail;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** {@code queen apply}. */
@Command(name = "apply", description = {"Create missing queues and change differing options, as described in a file.",
    "Queues and options that the file does not contain are not changed. Nothing is deleted."}, footerHeading = "%nExample of a file:%n", footer = {
        "  queues:", "    - name: orders", "      namespace: shop", "      options:", "        leaseTime: 60",
        "        retryLimit: 5", "", "  queen apply -f queues.yaml --dry-run",
        "  queen queue describe orders -o yaml | queen --context prod apply -f -"})
final class ApplyCommand implements Runnable {
    private static final List<Column<Step>> COLUMNS = List.of(Column.of("queue", Step::queue),
            Column.of("action", Step::action), Column.of("changes", Step::changes));

    @ParentCommand
    private QueenCommand root;

    @Option(names = {"-f",
        "--file"}, paramLabel = "FILE", required = true, description = "Read the queues from this YAML or JSON file (-: standard input).")
    private String file;

    @Option(names = "--dry-run", description = "Show the changes without making them.")
    private boolean isDry;

    /** The change of one queue. */
    private record Step(String queue, String action, List<String> changes) {}

    @Override
    public void run() {
        List<Wanted> wanted = QueueFile.read(file, root.shell());
        if (wanted.isEmpty()) {
            throw CommandFailed.nothing("no queues in " + file);
        }
        // All queues are compared first, so that an error in the last one prevents all changes.
        List<Step> steps = wanted.stream().map(this::step).toList();
        for (int i = 0; i < steps.size(); i++) {
            if (!isDry && !steps.get(i).action().equals("unchanged")) {
                Wanted each = wanted.get(i);
                root.operator().queues().configure(each.name(), each.namespace(), each.task(), each.options());
            }
        }
        root.output().list(COLUMNS, steps);
        if (isDry && root.shell().isTerminal()) {
            root.output().aside("Dry run: nothing was changed.");
        }
    }

    private Step step(Wanted wanted) {
        Optional<QueueDetail> found = root.operator().queues().find(wanted.name());
        List<String> changes = new ArrayList<>();
        compare(changes, "namespace", found.map(QueueDetail::namespace).orElse(null), wanted.namespace());
        compare(changes, "task", found.map(QueueDetail::task).orElse(null), wanted.task());
        Map<String, Object> is = found.map(queue -> queue.options().values()).orElse(Map.of());
        new TreeMap<>(wanted.options().values()).forEach((name, value) -> compare(changes, name, is.get(name), value));
        return new Step(wanted.name(), found.isEmpty() ? "create" : changes.isEmpty() ? "unchanged" : "change",
                changes);
    }

    /** @param wanted null to keep the current value */
    private static void compare(List<String> changes, String name, @Nullable Object is, @Nullable Object wanted) {
        if (wanted != null && !wanted.equals(is)) {
            changes.add(name + (is == null ? "=" : ": " + is + " -> ") + wanted);
        }
    }
}
