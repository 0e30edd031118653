package io.queenmq.cli;

import io.queenmq.cli.output.Column;
import io.queenmq.client.operator.MessageCounts;
import io.queenmq.client.operator.QueueDetail;
import io.queenmq.client.operator.QueueOptions;
import io.queenmq.client.operator.QueueSummary;
import io.queenmq.client.operator.Queues;
import io.queenmq.client.operator.Throughput;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code queen queue …}. */
@Command(name = "queue", description = "Queues: list, describe, configure, delete, stats, pause, resume.", synopsisSubcommandLabel = "COMMAND")
final class QueueCommands extends Family {
    private static final int PAGE = 1000;

    private static final List<Column<QueueSummary>> LIST = List.of(Column.of("name", QueueSummary::name),
            Column.of("partitions", QueueSummary::partitions), Column.of("messages", QueueSummary::total),
            Column.of("pending", QueueSummary::pending), Column.of("processing", QueueSummary::processing),
            Column.of("paused", QueueSummary::isPaused), Column.of("full", QueueSummary::isFull),
            Column.wide("namespace", QueueSummary::namespace),
            Column.wide("task", QueueSummary::task), Column.of("createdAt", QueueSummary::createdAt),
            Column.data("id", QueueSummary::id));

    private static final List<Column<QueueDetail>> DETAIL = List.of(Column.of("name", QueueDetail::name),
            Column.of("id", QueueDetail::id), Column.of("namespace", QueueDetail::namespace),
            Column.of("task", QueueDetail::task), Column.of("createdAt", QueueDetail::createdAt),
            Column.of("paused", QueueDetail::isPaused), Column.of("pausedGroups", QueueDetail::pausedGroups));

    private static final List<Column<Throughput>> STATS = List.of(Column.of("at", Throughput::at),
            Column.of("pushed", Throughput::pushed), Column.of("delivered", Throughput::delivered),
            Column.of("acked", Throughput::acked), Column.of("failed", Throughput::failed),
            Column.of("deadLettered", Throughput::deadLettered), Column.of("refused", Throughput::refusedCount),
            Column.of("refusedFor", step -> inWords(step.refused())),
            Column.of("oldestUnreadSeconds", Throughput::oldestUnread),
            Column.wide("averageDeliveryAgeSeconds", Throughput::averageDeliveryAge),
            Column.of("maxDeliveryAgeSeconds", Throughput::maxDeliveryAge));

    @ParentCommand
    private QueenCommand root;

    @Command(description = "All queues, newest first, with sums as they were last counted.")
    int list(@Option(names = "--fresh", description = "Have them counted again first.") boolean isFresh,
            @Option(names = "--search", paramLabel = "TEXT", description = "Only names with this in them.") String search) {
        Queues queues = root.operator().queues();
        if (isFresh) {
            queues.refreshCounts();
        }
        List<QueueSummary> all = new ArrayList<>();
        List<QueueSummary> page;
        do {
            page = queues.list(PAGE, all.size());
            all.addAll(page);
        } while (page.size() == PAGE);
        root.output().list(LIST, search == null
                ? all
                : all.stream().filter(each -> each.name().contains(search)).toList());
        return ExitCode.OK;
    }

    @Command(description = "One queue: its options and what is in it.")
    int describe(@Parameters(paramLabel = "QUEUE", description = "The queue.") String queue) {
        QueueDetail found = require(queue);
        Map<String, Object> options = new TreeMap<>(found.options().values());
        Map<String, Object> messages = counts(found.messages());
        Map<String, Object> whole = new LinkedHashMap<>();
        DETAIL.forEach(column -> whole.put(column.name(), column.value().apply(found)));
        whole.put("options", options);
        whole.put("messages", messages);
        root.output().parts(() -> {
            root.output().one(DETAIL, found);
            root.output().title("Options");
            Map<String, Object> inWords = OptionValues.inWords(options);
            root.output().one(columns(inWords), inWords);
            root.output().title("Messages");
            root.output().one(columns(messages), messages);
        }, whole);
        return ExitCode.OK;
    }

    @Command(description = "Create a queue, or change options of one; what is not named stays as it is.", modelTransformer = OptionsHelp.class, footerHeading = "%nExample:%n", footer = "  queen queue configure orders leaseTime=60 retryLimit=5")
    int configure(@Parameters(index = "0", paramLabel = "QUEUE", description = "The queue.") String queue,
            @Parameters(index = "1..*", arity = "0..*", paramLabel = "OPTION=VALUE", description = "A number, or true or false.") List<String> settings,
            @Option(names = "--namespace", paramLabel = "NAME", description = "Its namespace.") String namespace,
            @Option(names = "--task", paramLabel = "NAME", description = "Its task.") String task) {
        QueueOptions options = QueueOptions.of();
        for (String each : settings == null ? List.<String>of() : settings) {
            int equals = each.indexOf('=');
            if (equals <= 0) {
                throw CommandFailed.byUser("an option looks like leaseTime=60, not like " + each);
            }
            options = options.with(OptionValues.requireName(each.substring(0, equals)),
                    OptionValues.parse(each.substring(equals + 1), each));
        }
        var configured = root.operator().queues().configure(queue, namespace, task, options);
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("name", configured.name());
        fields.put("namespace", configured.namespace());
        fields.put("task", configured.task());
        fields.put("options", new TreeMap<>(configured.options().values()));
        root.output().done("configured " + configured.name(), fields);
        return ExitCode.OK;
    }

    @Command(description = "Delete a queue with everything in it, dead letters included.")
    int delete(@Parameters(paramLabel = "QUEUE", description = "The queue.") String queue,
            @Option(names = {"-y", "--yes"}, description = "Do not ask.") boolean isSure) {
        if (!isSure) {
            MessageCounts messages = require(queue).messages();
            root.confirm(false, String.format("Delete %s with its %,d messages and %,d dead letters?", queue,
                    messages.total(), messages.deadLetter()));
        }
        if (!root.operator().queues().delete(queue)) {
            throw CommandFailed.nothing("there is no queue " + queue);
        }
        root.output().done("deleted " + queue, Map.of("deleted", queue));
        return ExitCode.OK;
    }

    @Command(description = "What went through a queue lately, step by step.")
    int stats(@Parameters(paramLabel = "QUEUE", description = "The queue.") String queue,
            @Option(names = "--since", paramLabel = "TIME", defaultValue = "15m", converter = Moments.ToInstant.class, description = "From when on; 15m ago if not given.") Instant since) {
        require(queue);
        // Numbers are reported every few seconds, so the last step may still grow.
        root.output().list(STATS,
                root.operator().queues().throughput(queue, since, Instant.now().plus(Duration.ofSeconds(1))));
        return ExitCode.OK;
    }

    @Command(description = "Hand out nothing of a queue; it takes what is pushed.")
    int pause(@Parameters(paramLabel = "QUEUE", description = "The queue.") String queue) {
        root.operator().queues().pause(queue);
        root.output().done("paused " + queue, Map.of("queue", queue, "paused", true));
        return ExitCode.OK;
    }

    @Command(description = "End a pause.")
    int resume(@Parameters(paramLabel = "QUEUE", description = "The queue.") String queue) {
        root.operator().queues().resume(queue);
        root.output().done("resumed " + queue, Map.of("queue", queue, "paused", false));
        return ExitCode.OK;
    }

    /** The reasons with their counts, by name. */
    private static String inWords(Map<String, Long> reasons) {
        return new TreeMap<>(reasons).entrySet().stream().map(each -> each.getKey() + " " + each.getValue())
                .collect(Collectors.joining(", "));
    }

    private QueueDetail require(String queue) {
        return root.operator().queues().find(queue)
                .orElseThrow(() -> CommandFailed.byUser("there is no queue " + queue));
    }

    static Map<String, Object> counts(MessageCounts counts) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("total", counts.total());
        fields.put("pending", counts.pending());
        fields.put("processing", counts.processing());
        fields.put("completed", counts.completed());
        fields.put("failed", counts.failed());
        fields.put("deadLetter", counts.deadLetter());
        return fields;
    }

    static List<Column<Map<String, Object>>> columns(Map<String, Object> fields) {
        List<Column<Map<String, Object>>> columns = new ArrayList<>();
        fields.keySet().forEach(name -> columns.add(Column.of(name, map -> map.get(name))));
        return columns;
    }
}
