package io.queenmq.cli;

import io.queenmq.cli.output.Column;
import io.queenmq.client.error.QueenException;
import io.queenmq.client.operator.ServerState;
import io.queenmq.client.operator.Spool;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** {@code queen spool …}. */
@Command(name = "spool", description = "Manage the spool, which stores pushes on disk while PostgreSQL is unavailable: status, refused, retry, drop.", synopsisSubcommandLabel = "COMMAND")
final class SpoolCommands extends Family {
    static final List<Column<Spool.Status>> COLUMNS = List.of(Column.of("state", Spool.Status::state),
            Column.of("pending", Spool.Status::pending),
            Column.of("oldestSeconds", status -> status.oldest().toSeconds()),
            Column.of("drainedPerSecond", Spool.Status::drainedPerSecond), Column.of("bytes", Spool.Status::bytes),
            Column.of("bytesMax", Spool.Status::bytesMax), Column.of("refused", Spool.Status::refused),
            Column.of("damaged", Spool.Status::damaged), Column.of("error", Spool.Status::error));

    private static final List<Column<Spool.OfServer>> SERVERS = List.of(Column.of("server", Spool.OfServer::server),
            Column.of("hostname", Spool.OfServer::hostname), Column.of("serverState", Spool.OfServer::serverState),
            Column.of("spool", Spool.OfServer::state), Column.of("pending", Spool.OfServer::pending),
            Column.of("oldestSeconds", server -> server.oldest().toSeconds()),
            Column.of("refused", Spool.OfServer::refused), Column.of("seen", Spool.OfServer::seen));

    private static final List<Column<Spool.Refused>> REFUSED = List.of(Column.of("queue", Spool.Refused::queue),
            Column.of("partition", Spool.Refused::partition), Column.of("transactionId", Spool.Refused::transactionId),
            Column.of("acceptedAt", Spool.Refused::acceptedAt), Column.of("reason", Spool.Refused::reason),
            Column.wide("bytes", Spool.Refused::bytes), Column.wide("messageId", Spool.Refused::messageId));

    @ParentCommand
    private QueenCommand root;

    @Command(description = "Show the number and age of spooled messages of this server and of all others, and the speed of the drain.")
    int status() {
        ServerState state = root.operator().state();
        List<Spool.OfServer> all = all(state);
        Map<String, @Nullable Object> whole = new LinkedHashMap<>();
        whole.put("summary", state.summary());
        COLUMNS.forEach(column -> whole.put(column.name(), column.value().apply(state.spool())));
        Map<String, @Nullable Object> shown = new LinkedHashMap<>(whole);
        whole.put("servers", all == null ? null : all.stream().map(SpoolCommands::fields).toList());
        root.output().parts(() -> {
            root.output().one(QueueCommands.columns(shown), shown);
            if (all == null) {
                root.output().aside(
                        "The other servers are unknown while PostgreSQL is unavailable; use --url for each of them.");
            } else {
                root.output().title("All servers, as last reported");
                root.output().list(SERVERS, all);
            }
        }, whole);
        return ExitCode.OK;
    }

    /** Returns null if the servers cannot be listed. */
    private @Nullable List<Spool.OfServer> all(ServerState state) {
        if (!state.database().equals("connected")) {
            return null;
        }
        try {
            return spool().all();
        } catch (QueenException e) {
            return null;
        }
    }

    private static Map<String, @Nullable Object> fields(Spool.OfServer server) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        SERVERS.forEach(column -> fields.put(column.name(), column.value().apply(server)));
        return fields;
    }

    @Command(description = "List spooled messages that PostgreSQL rejected permanently, oldest first.")
    int refused(
            @Option(names = {"-q",
                "--queue"}, paramLabel = "QUEUE", description = "Only messages of this queue.") @Nullable String queue,
            @Option(names = {"-n",
                "--limit"}, paramLabel = "N", defaultValue = "100", description = "Maximum number of messages (default: 100).") int limit) {
        root.output().list(REFUSED, spool().refused(queue, limit));
        return ExitCode.OK;
    }

    @Command(description = "Try to store rejected messages again, after all spooled messages.")
    int retry(@Option(names = {"-q",
        "--queue"}, paramLabel = "QUEUE", description = "Only messages of this queue.") @Nullable String queue) {
        long count = spool().retry(queue);
        root.output().done(String.format("put back %,d messages", count), Map.of("putBack", count));
        return ExitCode.OK;
    }

    @Command(description = "Delete rejected messages.")
    int drop(
            @Option(names = {"-q",
                "--queue"}, paramLabel = "QUEUE", description = "Only messages of this queue.") @Nullable String queue,
            @Option(names = {"-y", "--yes"}, description = "Do not ask for confirmation.") boolean isSure) {
        root.confirm(isSure, "Delete rejected messages" + (queue == null ? "" : " of " + queue) + " permanently?");
        long count = spool().drop(queue);
        root.output().done(String.format("deleted %,d messages", count), Map.of("dropped", count));
        return ExitCode.OK;
    }

    private Spool spool() {
        return root.operator().spool();
    }
}
