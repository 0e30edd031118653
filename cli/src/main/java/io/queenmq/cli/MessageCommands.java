package io.queenmq.cli;

import io.queenmq.cli.output.Column;
import io.queenmq.cli.output.Payload;
import io.queenmq.client.operator.MessageDetail;
import io.queenmq.client.operator.MessageFilter;
import io.queenmq.client.operator.MessageSummary;
import io.queenmq.client.operator.PartitionSummary;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code queen messages …}. */
@Command(name = "messages", description = "Show and delete stored messages: list, get, delete.", synopsisSubcommandLabel = "COMMAND")
final class MessageCommands extends Family {
    private static final List<Column<MessageSummary>> LIST = List.of(Column.wide("queue", MessageSummary::queue),
            Column.of("partition", MessageSummary::partition),
            Column.of("transactionId", MessageSummary::transactionId), Column.of("status", MessageSummary::status),
            Column.of("createdAt", MessageSummary::createdAt), Column.wide("id", MessageSummary::id),
            Column.wide("partitionId", MessageSummary::partitionId), Column.wide("traceId", MessageSummary::traceId),
            Column.wide("producerSub", MessageSummary::producerSub), Column.wide("headers", MessageSummary::headers));

    private static final List<Column<MessageDetail>> DETAIL = List.of(
            Column.of("queue", message -> message.summary().queue()),
            Column.of("partition", message -> message.summary().partition()),
            Column.of("partitionId", message -> message.summary().partitionId()),
            Column.of("transactionId", message -> message.summary().transactionId()),
            Column.of("id", message -> message.summary().id()),
            Column.of("status", message -> message.summary().status()),
            Column.of("createdAt", message -> message.summary().createdAt()),
            Column.of("traceId", message -> message.summary().traceId()),
            Column.of("producerSub", message -> message.summary().producerSub()),
            Column.of("headers", message -> message.summary().headers()),
            Column.of("retryCount", MessageDetail::retryCount), Column.of("error", MessageDetail::error),
            Column.of("payload", message -> Payload.of(message.payload())));

    @ParentCommand
    private QueenCommand root;

    @Command(description = "List messages, newest first (default: those of the last hour).")
    int list(
            @Parameters(arity = "0..1", paramLabel = "QUEUE", description = "Only messages of this queue.") @Nullable String queue,
            @Option(names = {"-p",
                "--partition"}, paramLabel = "PARTITION", description = "Only messages of this partition.") @Nullable String partition,
            @Option(names = {"-s",
                "--status"}, paramLabel = "STATUS", description = "Only messages with this status: pending, processing, completed or dead_letter.") @Nullable String status,
            @Option(names = "--since", paramLabel = "TIME", converter = Moments.ToInstant.class, description = "Only messages pushed since this time (default: 1h ago).") @Nullable Instant since,
            @Option(names = "--until", paramLabel = "TIME", converter = Moments.ToInstant.class, description = "Only messages pushed until this time.") @Nullable Instant until,
            @Option(names = {"-n",
                "--limit"}, paramLabel = "N", defaultValue = "100", description = "Maximum number of messages (default: 100).") int limit) {
        root.output().list(LIST, root.operator().messages().list(MessageFilter.any().queue(queue).partition(partition)
                .status(status).between(since, until).page(limit, 0)));
        return ExitCode.OK;
    }

    @Command(description = "Show a message with its payload.")
    int get(@Parameters(index = "0", paramLabel = "QUEUE", description = "Name of the queue.") String queue,
            @Parameters(index = "1", paramLabel = "PARTITION", description = "Name of the partition.") String partition,
            @Parameters(index = "2", paramLabel = "TRANSACTION-ID", description = "Transaction id of the message.") String transactionId) {
        root.output().one(DETAIL, require(queue, partition, transactionId));
        return ExitCode.OK;
    }

    @Command(description = "Delete a message, so that it is not delivered to any group. Dead letters are kept.")
    int delete(@Parameters(index = "0", paramLabel = "QUEUE", description = "Name of the queue.") String queue,
            @Parameters(index = "1", paramLabel = "PARTITION", description = "Name of the partition.") String partition,
            @Parameters(index = "2", paramLabel = "TRANSACTION-ID", description = "Transaction id of the message.") String transactionId,
            @Option(names = {"-y", "--yes"}, description = "Do not ask for confirmation.") boolean isSure) {
        MessageDetail message = require(queue, partition, transactionId);
        root.confirm(isSure, "Delete " + transactionId + " of " + queue + "/" + partition + ", which is "
                + message.summary().status() + ", for all groups?");
        if (!root.operator().messages().delete(message.summary().partitionId(), transactionId)) {
            throw CommandFailed.nothing("there is no message " + transactionId + " in " + queue + "/" + partition);
        }
        root.output().done("deleted " + transactionId, Map.of("deleted", transactionId));
        return ExitCode.OK;
    }

    private MessageDetail require(String queue, String partition, String transactionId) {
        return root.operator().partitions().find(queue, partition).map(PartitionSummary::partitionId)
                .flatMap(id -> root.operator().messages().find(id, transactionId)).orElseThrow(() -> CommandFailed
                        .nothing("there is no message " + transactionId + " in " + queue + "/" + partition));
    }
}
