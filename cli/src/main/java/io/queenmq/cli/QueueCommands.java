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
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code queen queue …}. */
@Command(name = "queue", description = "Manage queues: list, describe, configure, delete, stats, pause, resume.", synopsisSubcommandLabel = "COMMAND")
final class QueueCommands extends Family {
    private static final int PAGE = 1000;

    private static final List<Column<QueueSummary>> LIST = List.of(Column.of("name", QueueSummary::name),
            Column.of("partitions", QueueSummary::partitions), Column.of("messages", QueueSummary::total),
            Column.of("pending", QueueSummary::pending), Column.of("processing", QueueSummary::processing),
            Column.of("deadLetters", QueueSummary::deadLetters), Column.of("consumers", QueueSummary::consumers),
            Column.of("pushedPerSecond", QueueSummary::pushedPerSecond),
            Column.wide("ackedPerSecond", QueueSummary::ackedPerSecond), Column.of("paused", QueueSummary::isPaused),
            Column.of("full", QueueSummary::isFull), Column.wide("namespace", QueueSummary::namespace),
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

    @Command(description = "List queues, newest first, with their last counts.")
    int list(@Option(names = "--fresh", description = "Count again before listing.") boolean isFresh,
            @Option(names = "--search", paramLabel = "TEXT", description = "Only queues whose name contains this text.") @Nullable String search) {
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
        root.output().list(LIST,
                search == null ? all : all.stream().filter(each -> each.name().contains(search)).toList());
        return ExitCode.OK;
    }

    @Command(description = "Show a queue with its options and counts.")
    int describe(@Parameters(paramLabel = "QUEUE", description = "Name of the queue.") String queue) {
        QueueDetail found = require(queue);
        Map<String, @Nullable Object> options = new TreeMap<String, @Nullable Object>(found.options().values());
        Map<String, @Nullable Object> messages = counts(found.messages());
        Map<String, @Nullable Object> whole = new LinkedHashMap<>();
        DETAIL.forEach(column -> whole.put(column.name(), column.value().apply(found)));
        whole.put("options", options);
        whole.put("messages", messages);
        root.output().parts(() -> {
            root.output().one(DETAIL, found);
            root.output().title("Options");
            Map<String, @Nullable Object> inWords = OptionValues.inWords(options);
            root.output().one(columns(inWords), inWords);
            root.output().title("Messages");
            root.output().one(columns(messages), messages);
        }, whole);
        return ExitCode.OK;
    }

    @Command(description = "Create a queue, or change options of a queue. Options that are not given keep their values.", modelTransformer = OptionsHelp.class, footerHeading = "%nExample:%n", footer = "  queen queue configure orders leaseTime=60 retryLimit=5")
    int configure(@Parameters(index = "0", paramLabel = "QUEUE", description = "Name of the queue.") String queue,
            @Parameters(index = "1..*", arity = "0..*", paramLabel = "OPTION=VALUE", description = "Option to set: a number, true or false.") @Nullable List<String> settings,
            @Option(names = "--namespace", paramLabel = "NAME", description = "Namespace of the queue.") @Nullable String namespace,
            @Option(names = "--task", paramLabel = "NAME", description = "Task of the queue.") @Nullable String task) {
        if (settings == null && namespace == null && task == null) {
            throw CommandFailed.byUser(
                    "nothing to configure; give options such as leaseTime=60, --namespace or --task (see queen queue "
                            + "configure --help). A queue with default options is created by its first push");
        }
        QueueOptions options = QueueOptions.of();
        for (String each : settings == null ? List.<String>of() : settings) {
            int equals = each.indexOf('=');
            if (equals <= 0) {
                throw CommandFailed.byUser("an option must look like leaseTime=60, not like " + each);
            }
            options = options.with(OptionValues.requireName(each.substring(0, equals)),
                    OptionValues.parse(each.substring(equals + 1), each));
        }
        var configured = root.operator().queues().configure(queue, namespace, task, options);
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("name", configured.name());
        fields.put("namespace", configured.namespace());
        fields.put("task", configured.task());
        fields.put("options", new TreeMap<>(configured.options().values()));
        root.output().done("configured " + configured.name(), fields);
        return ExitCode.OK;
    }

    @Command(description = "Delete a queue with all messages and dead letters.")
    int delete(@Parameters(paramLabel = "QUEUE", description = "Name of the queue.") String queue,
            @Option(names = {"-y", "--yes"}, description = "Do not ask for confirmation.") boolean isSure) {
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

    @Command(description = "Show the recent throughput of a queue over time.")
    int stats(@Parameters(paramLabel = "QUEUE", description = "Name of the queue.") String queue,
            @Option(names = "--since", paramLabel = "TIME", defaultValue = "15m", converter = Moments.ToInstant.class, description = "Start of the period (default: 15m ago).") Instant since) {
        require(queue);
        // Servers report numbers every few seconds, so the last interval may still grow.
        root.output().list(STATS,
                root.operator().queues().throughput(queue, since, Instant.now().plus(Duration.ofSeconds(1))));
        return ExitCode.OK;
    }

    @Command(description = "Stop delivering messages of a queue. Pushes are still accepted.")
    int pause(@Parameters(paramLabel = "QUEUE", description = "Name of the queue.") String queue) {
        root.operator().queues().pause(queue);
        root.output().done("paused " + queue, Map.of("queue", queue, "paused", true));
        return ExitCode.OK;
    }

    @Command(description = "Resume delivering messages of a queue.")
    int resume(@Parameters(paramLabel = "QUEUE", description = "Name of the queue.") String queue) {
        root.operator().queues().resume(queue);
        root.output().done("resumed " + queue, Map.of("queue", queue, "paused", false));
        return ExitCode.OK;
    }

    /** Returns the reasons with their counts, sorted by name. */
    private static String inWords(Map<String, Long> reasons) {
        return new TreeMap<>(reasons).entrySet().stream().map(each -> each.getKey() + " " + each.getValue())
                .collect(Collectors.joining(", "));
    }

    private QueueDetail require(String queue) {
        return root.operator().queues().find(queue)
                .orElseThrow(() -> CommandFailed.nothing("there is no queue " + queue));
    }

    static Map<String, @Nullable Object> counts(MessageCounts counts) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("total", counts.total());
        fields.put("pending", counts.pending());
        fields.put("processing", counts.processing());
        fields.put("completed", counts.completed());
        fields.put("failed", counts.failed());
        fields.put("deadLetter", counts.deadLetter());
        return fields;
    }

    static List<Column<Map<String, @Nullable Object>>> columns(Map<String, @Nullable Object> fields) {
        List<Column<Map<String, @Nullable Object>>> columns = new ArrayList<>();
        fields.keySet().forEach(name -> columns.add(Column.of(name, map -> map.get(name))));
        return columns;
    }
}
