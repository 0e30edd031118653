package io.queenmq.cli;

import io.queenmq.cli.output.Column;
import io.queenmq.cli.output.Payload;
import io.queenmq.client.operator.TraceEvent;
import io.queenmq.client.operator.TraceName;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code queen traces}. */
@Command(name = "traces", description = {"Show traces that applications recorded about their messages.",
    "Without arguments: list the names of traces. With NAME: list its records. With -q, -p and -t: list the records of a message."}, footerHeading = "%nExamples:%n", footer = {
        "  queen traces", "  queen traces order-4711", "  queen traces -q orders -p customer-42 -t order-1"})
final class TraceCommand implements Runnable {
    private static final List<Column<TraceName>> NAMES = List.of(Column.of("name", TraceName::name),
            Column.of("traces", TraceName::traces), Column.of("messages", TraceName::messages),
            Column.of("lastSeenAt", TraceName::lastSeenAt));

    private static final List<Column<TraceEvent>> EVENTS = List.of(Column.of("createdAt", TraceEvent::createdAt),
            Column.of("eventType", TraceEvent::eventType), Column.of("group", TraceEvent::group),
            Column.of("transactionId", TraceEvent::transactionId), Column.wide("names", TraceEvent::names),
            Column.wide("partitionId", TraceEvent::partitionId), Column.data("id", TraceEvent::id),
            Column.of("data", event -> Payload.of(event.data())));

    @ParentCommand
    private QueenCommand root;

    @Parameters(arity = "0..1", paramLabel = "NAME", description = "Name of the trace.")
    private @Nullable String name;

    @Option(names = {"-q", "--queue"}, paramLabel = "QUEUE", description = "Queue of the message.")
    private @Nullable String queue;

    @Option(names = {"-p",
        "--partition"}, paramLabel = "PARTITION", defaultValue = "Default", description = "Partition of the message.")
    private String partition;

    @Option(names = {"-t", "--transaction-id"}, paramLabel = "ID", description = "Transaction id of the message.")
    private @Nullable String transactionId;

    @Option(names = {"-n",
        "--limit"}, paramLabel = "N", defaultValue = "100", description = "Maximum number of records (default: 100).")
    private int limit;

    @Override
    public void run() {
        var traces = root.operator().traces();
        if (queue != null || transactionId != null) {
            if (queue == null || transactionId == null || name != null) {
                throw CommandFailed.byUser("a message needs --queue, --partition and --transaction-id");
            }
            String partitionId = root.operator().partitions().find(queue, partition)
                    .orElseThrow(() -> CommandFailed.nothing("there is no partition " + partition + " in " + queue))
                    .partitionId();
            root.output().list(EVENTS, traces.of(partitionId, transactionId));
        } else if (name == null) {
            root.output().list(NAMES, traces.names(limit, 0).items());
        } else {
            root.output().list(EVENTS, traces.named(name, limit, 0).items());
        }
    }
}
