package io.queenmq.cli;

import io.queenmq.cli.output.Column;
import io.queenmq.client.operator.Explanation;
import io.queenmq.client.operator.PartitionFilter;
import io.queenmq.client.operator.PartitionGroup;
import io.queenmq.client.operator.PartitionPage;
import io.queenmq.client.operator.PartitionSummary;
import io.queenmq.client.operator.SeekTarget;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code queen partition …}. */
@Command(name = "partition", description = "Manage partitions: list, describe, explain, seek, skip, pause, resume.", synopsisSubcommandLabel = "COMMAND")
final class PartitionCommands extends Family {
    private static final int PAGE_MAX = 1000;

    private static final List<Column<PartitionSummary>> LIST = List.of(Column.of("queue", PartitionSummary::queue),
            Column.of("partition", PartitionSummary::partition), Column.of("state", PartitionSummary::state),
            Column.of("group", PartitionSummary::group), Column.of("offset", PartitionSummary::offset),
            Column.of("head", PartitionSummary::head), Column.of("unread", PartitionSummary::offsetLag),
            Column.of("oldestUnreadSeconds", PartitionSummary::oldestUnread),
            Column.wide("tail", PartitionSummary::tail), Column.wide("until", PartitionSummary::until),
            Column.wide("attempts", PartitionSummary::attempts), Column.wide("error", PartitionSummary::error),
            Column.wide("leaseId", PartitionSummary::leaseId),
            Column.wide("partitionId", PartitionSummary::partitionId),
            Column.data("paused", PartitionSummary::isPaused),
            Column.data("leaseExpiresAt", PartitionSummary::leaseExpiresAt));

    private static final List<Column<PartitionSummary>> DETAIL = List.of(Column.of("queue", PartitionSummary::queue),
            Column.of("partition", PartitionSummary::partition),
            Column.of("partitionId", PartitionSummary::partitionId), Column.of("head", PartitionSummary::head),
            Column.of("tail", PartitionSummary::tail), Column.of("paused", PartitionSummary::isPaused));

    private static final List<Column<PartitionGroup>> GROUPS = List.of(Column.of("group", PartitionGroup::group),
            Column.of("state", PartitionGroup::state), Column.of("offset", PartitionGroup::offset),
            Column.of("unread", PartitionGroup::offsetLag),
            Column.of("oldestUnreadSeconds", PartitionGroup::oldestUnread),
            Column.of("attempts", PartitionGroup::attempts), Column.of("error", PartitionGroup::error),
            Column.of("totalConsumed", PartitionGroup::totalConsumed),
            Column.wide("totalDeadLettered", PartitionGroup::totalDeadLettered),
            Column.wide("totalSkipped", PartitionGroup::totalSkipped), Column.wide("leaseId", PartitionGroup::leaseId),
            Column.wide("leaseExpiresAt", PartitionGroup::leaseExpiresAt), Column.wide("until", PartitionGroup::until));

    private static final List<Column<Explanation>> EXPLANATION = List.of(Column.of("state", Explanation::state),
            Column.of("reason", Explanation::reason), Column.of("until", Explanation::until),
            Column.of("attempts", Explanation::attempts), Column.of("error", Explanation::error),
            Column.of("leaseId", Explanation::leaseId), Column.of("offset", Explanation::offset),
            Column.of("pending", Explanation::pending), Column.of("expired", Explanation::expired));

    @ParentCommand
    private QueenCommand root;

    @Command(description = "List partitions with the position of a group, or of the group with the largest lag.")
    int list(
            @Parameters(arity = "0..1", paramLabel = "QUEUE", description = "Name of the queue.") @Nullable String queue,
            @Option(names = {"-g",
                "--group"}, paramLabel = "GROUP", description = "Name of the consumer group.") @Nullable String group,
            @Option(names = "--search", paramLabel = "TEXT", description = "Only partitions whose name contains this text.") @Nullable String search,
            @Option(names = "--deepest", description = "Sort by the number of unread messages. Requires QUEUE.") boolean isDeepestFirst,
            @Option(names = {"-n",
                "--limit"}, paramLabel = "N", defaultValue = "100", description = "Maximum number of partitions (default: 100).") int limit) {
        PartitionFilter filter = PartitionFilter.any().queue(queue).group(group).search(search);
        filter = isDeepestFirst ? filter.deepestFirst() : filter;
        List<PartitionSummary> partitions = new ArrayList<>();
        @Nullable
        String after = null;
        do {
            PartitionPage page = root.operator().partitions()
                    .list(filter.page(Math.min(limit - partitions.size(), PAGE_MAX), after));
            partitions.addAll(page.partitions());
            after = page.next();
        } while (after != null && partitions.size() < limit);
        root.output().list(LIST, partitions);
        if (after != null && root.shell().isTerminal()) {
            root.output().aside("There are more partitions; increase --limit to show them.");
        }
        return ExitCode.OK;
    }

    @Command(description = "Show a partition with the position of each group.")
    int describe(@Parameters(index = "0", paramLabel = "QUEUE", description = "Name of the queue.") String queue,
            @Parameters(index = "1", paramLabel = "PARTITION", description = "Name of the partition.") String partition) {
        PartitionSummary summary = require(queue, partition);
        List<PartitionGroup> groups = root.operator().partitions().groups(summary.partitionId());
        Map<String, @Nullable Object> whole = new LinkedHashMap<>();
        DETAIL.forEach(column -> whole.put(column.name(), column.value().apply(summary)));
        whole.put("groups", groups.stream().map(group -> {
            Map<String, @Nullable Object> fields = new LinkedHashMap<>();
            GROUPS.forEach(column -> fields.put(column.name(), column.value().apply(group)));
            return fields;
        }).toList());
        root.output().parts(() -> {
            root.output().one(DETAIL, summary);
            root.output().title("Groups");
            root.output().list(GROUPS, groups);
        }, whole);
        return ExitCode.OK;
    }

    @Command(description = "Show why the next message of a partition, or a given message, is not delivered.")
    int explain(@Parameters(index = "0", paramLabel = "QUEUE", description = "Name of the queue.") String queue,
            @Parameters(index = "1", paramLabel = "PARTITION", description = "Name of the partition.") String partition,
            @Parameters(index = "2", arity = "0..1", paramLabel = "TRANSACTION-ID", description = "Transaction id of the message (default: the next one).") @Nullable String transactionId,
            @Option(names = {"-g",
                "--group"}, paramLabel = "GROUP", description = "Name of the consumer group.") @Nullable String group) {
        String id = require(queue, partition).partitionId();
        root.output().one(EXPLANATION,
                transactionId == null
                        ? root.operator().partitions().explain(id, group)
                        : root.operator().partitions().explain(id, transactionId, group));
        return ExitCode.OK;
    }

    @Command(description = "Move a group to another position in a partition. Its lease ends.")
    int seek(@Parameters(index = "0", paramLabel = "QUEUE", description = "Name of the queue.") String queue,
            @Parameters(index = "1", paramLabel = "PARTITION", description = "Name of the partition.") String partition,
            @Option(names = {"-g",
                "--group"}, paramLabel = "GROUP", required = true, description = "Name of the consumer group.") String group,
            @Option(names = "--to", paramLabel = "WHERE", required = true, description = "Position: beginning, end, an offset, a time, or 15m for 15 minutes ago.") String to,
            @Option(names = "--new", description = "Allow a group that has not read the queue yet, and make this its start position.") boolean isNew,
            @Option(names = {"-y", "--yes"}, description = "Do not ask for confirmation.") boolean isSure) {
        SeekTarget target = Places.parse(to);
        root.confirm(isSure, "Move " + group + " to " + Places.inWords(target) + " of " + queue + "/" + partition
                + "? Earlier messages are skipped. Later messages are delivered, finished ones again.");
        ReplayCommand.seek(root, group, queue, partition, target, isNew);
        return ExitCode.OK;
    }

    @Command(description = "Skip the first message of a partition that a group has not finished.")
    int skip(@Parameters(index = "0", paramLabel = "QUEUE", description = "Name of the queue.") String queue,
            @Parameters(index = "1", paramLabel = "PARTITION", description = "Name of the partition.") String partition,
            @Option(names = {"-g",
                "--group"}, paramLabel = "GROUP", required = true, description = "Name of the consumer group.") String group,
            @Option(names = "--dlq", description = "Store the message as a dead letter.") boolean isDeadLettered,
            @Option(names = {"-y", "--yes"}, description = "Do not ask for confirmation.") boolean isSure) {
        root.confirm(isSure || isDeadLettered, "Skip the next message of " + queue + "/" + partition + "? " + group
                + " will never receive it (--dlq stores it as a dead letter).");
        long offset = root.operator().groups().skip(group, queue, partition, isDeadLettered);
        root.output().done("skipped offset " + offset + (isDeadLettered ? " and stored it as a dead letter" : ""),
                Map.of("skippedOffset", offset, "deadLettered", isDeadLettered));
        return ExitCode.OK;
    }

    @Command(description = "Stop delivering messages of a partition. Pushes are still accepted.")
    int pause(@Parameters(index = "0", paramLabel = "QUEUE", description = "Name of the queue.") String queue,
            @Parameters(index = "1", paramLabel = "PARTITION", description = "Name of the partition.") String partition) {
        root.operator().partitions().pause(require(queue, partition).partitionId());
        root.output().done("paused " + queue + "/" + partition,
                Map.of("queue", queue, "partition", partition, "paused", true));
        return ExitCode.OK;
    }

    @Command(description = "Resume delivering messages of a partition.")
    int resume(@Parameters(index = "0", paramLabel = "QUEUE", description = "Name of the queue.") String queue,
            @Parameters(index = "1", paramLabel = "PARTITION", description = "Name of the partition.") String partition) {
        root.operator().partitions().resume(require(queue, partition).partitionId());
        root.output().done("resumed " + queue + "/" + partition,
                Map.of("queue", queue, "partition", partition, "paused", false));
        return ExitCode.OK;
    }

    private PartitionSummary require(String queue, String partition) {
        return root.operator().partitions().find(queue, partition)
                .orElseThrow(() -> CommandFailed.nothing("there is no partition " + partition + " in " + queue));
    }
}
