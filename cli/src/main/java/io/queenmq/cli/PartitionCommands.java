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
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code queen partition …}. */
@Command(name = "partition", description = "Partitions: list, describe, explain, seek, skip, pause, resume.", synopsisSubcommandLabel = "COMMAND")
final class PartitionCommands extends Family {
    private static final int PAGE_MAX = 1000;

    private static final List<Column<PartitionSummary>> LIST = List.of(Column.wide("queue", PartitionSummary::queue),
            Column.of("partition", PartitionSummary::partition), Column.of("state", PartitionSummary::state),
            Column.of("group", PartitionSummary::group), Column.of("offset", PartitionSummary::offset),
            Column.of("head", PartitionSummary::head), Column.of("unread", PartitionSummary::offsetLag),
            Column.of("oldestUnreadSeconds", PartitionSummary::oldestUnread),
            Column.wide("tail", PartitionSummary::tail),
            Column.wide("until", PartitionSummary::until), Column.wide("attempts", PartitionSummary::attempts),
            Column.wide("error", PartitionSummary::error), Column.wide("leaseId", PartitionSummary::leaseId),
            Column.wide("partitionId", PartitionSummary::partitionId),
            Column.data("paused", PartitionSummary::isPaused),
            Column.data("leaseExpiresAt", PartitionSummary::leaseExpiresAt));

    private static final List<Column<PartitionSummary>> DETAIL = List.of(Column.of("queue", PartitionSummary::queue),
            Column.of("partition", PartitionSummary::partition),
            Column.of("partitionId", PartitionSummary::partitionId),
            Column.of("head", PartitionSummary::head), Column.of("tail", PartitionSummary::tail),
            Column.of("paused", PartitionSummary::isPaused));

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

    @Command(description = "The partitions of a queue, or of all, as a group stands in them, or the slowest one.")
    int list(@Parameters(arity = "0..1", paramLabel = "QUEUE", description = "The queue.") String queue,
            @Option(names = {"-g", "--group"}, paramLabel = "GROUP", description = "The group.") String group,
            @Option(names = "--search", paramLabel = "TEXT", description = "Only names with this in them.") String search,
            @Option(names = "--deepest", description = "The deepest first; in one queue.") boolean isDeepestFirst,
            @Option(names = {"-n",
                "--limit"}, paramLabel = "N", defaultValue = "100", description = "At most so many; 100.") int limit) {
        PartitionFilter filter = PartitionFilter.any().queue(queue).group(group).search(search);
        filter = isDeepestFirst ? filter.deepestFirst() : filter;
        List<PartitionSummary> partitions = new ArrayList<>();
        String after = null;
        do {
            PartitionPage page = root.operator().partitions()
                    .list(filter.page(Math.min(limit - partitions.size(), PAGE_MAX), after));
            partitions.addAll(page.partitions());
            after = page.next();
        } while (after != null && partitions.size() < limit);
        root.output().list(LIST, partitions);
        if (after != null && root.shell().isTerminal()) {
            root.output().aside("There are more; see --limit.");
        }
        return ExitCode.OK;
    }

    @Command(description = "One partition, and how each group stands there.")
    int describe(@Parameters(index = "0", paramLabel = "QUEUE", description = "The queue.") String queue,
            @Parameters(index = "1", paramLabel = "PARTITION", description = "The partition.") String partition) {
        PartitionSummary summary = require(queue, partition);
        List<PartitionGroup> groups = root.operator().partitions().groups(summary.partitionId());
        Map<String, Object> whole = new LinkedHashMap<>();
        DETAIL.forEach(column -> whole.put(column.name(), column.value().apply(summary)));
        whole.put("groups", groups.stream().map(group -> {
            Map<String, Object> fields = new LinkedHashMap<>();
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

    @Command(description = "Why is the next message of a partition, or a certain one, not delivered?")
    int explain(@Parameters(index = "0", paramLabel = "QUEUE", description = "The queue.") String queue,
            @Parameters(index = "1", paramLabel = "PARTITION", description = "The partition.") String partition,
            @Parameters(index = "2", arity = "0..1", paramLabel = "TRANSACTION-ID", description = "The message; the next one if not given.") String transactionId,
            @Option(names = {"-g", "--group"}, paramLabel = "GROUP", description = "For whom.") String group) {
        String id = require(queue, partition).partitionId();
        root.output().one(EXPLANATION, transactionId == null
                ? root.operator().partitions().explain(id, group)
                : root.operator().partitions().explain(id, transactionId, group));
        return ExitCode.OK;
    }

    @Command(description = "Move a group to another place in a partition. Its lease ends.")
    int seek(@Parameters(index = "0", paramLabel = "QUEUE", description = "The queue.") String queue,
            @Parameters(index = "1", paramLabel = "PARTITION", description = "The partition.") String partition,
            @Option(names = {"-g",
                "--group"}, paramLabel = "GROUP", required = true, description = "Who.") String group,
            @Option(names = "--to", paramLabel = "WHERE", required = true, description = "beginning, end, an offset, a time, or 15m for that long ago.") String to,
            @Option(names = "--new", description = "The group may not have read the queue yet: it will begin there.") boolean isNew,
            @Option(names = {"-y", "--yes"}, description = "Do not ask.") boolean isSure) {
        SeekTarget target = Places.parse(to);
        root.confirm(isSure, "Move " + group + " to " + Places.inWords(target) + " of " + queue + "/" + partition
                + "? What lies before it is not delivered, what lies after it is, again if need be.");
        ReplayCommand.seek(root, group, queue, partition, target, isNew);
        return ExitCode.OK;
    }

    @Command(description = "Pass over the first message of a partition that a group has not finished.")
    int skip(@Parameters(index = "0", paramLabel = "QUEUE", description = "The queue.") String queue,
            @Parameters(index = "1", paramLabel = "PARTITION", description = "The partition.") String partition,
            @Option(names = {"-g",
                "--group"}, paramLabel = "GROUP", required = true, description = "Who.") String group,
            @Option(names = "--dlq", description = "Keep it as a dead letter.") boolean isDeadLettered,
            @Option(names = {"-y", "--yes"}, description = "Do not ask.") boolean isSure) {
        root.confirm(isSure || isDeadLettered, "Pass over the next message of " + queue + "/" + partition + "? " + group
                + " will never get it (--dlq keeps it).");
        long offset = root.operator().groups().skip(group, queue, partition, isDeadLettered);
        root.output().done("skipped offset " + offset + (isDeadLettered ? ", it is a dead letter now" : ""),
                Map.of("skippedOffset", offset, "deadLettered", isDeadLettered));
        return ExitCode.OK;
    }

    @Command(description = "Hand out nothing of a partition; it takes what is pushed.")
    int pause(@Parameters(index = "0", paramLabel = "QUEUE", description = "The queue.") String queue,
            @Parameters(index = "1", paramLabel = "PARTITION", description = "The partition.") String partition) {
        root.operator().partitions().pause(require(queue, partition).partitionId());
        root.output().done("paused " + queue + "/" + partition,
                Map.of("queue", queue, "partition", partition, "paused", true));
        return ExitCode.OK;
    }

    @Command(description = "End a pause.")
    int resume(@Parameters(index = "0", paramLabel = "QUEUE", description = "The queue.") String queue,
            @Parameters(index = "1", paramLabel = "PARTITION", description = "The partition.") String partition) {
        root.operator().partitions().resume(require(queue, partition).partitionId());
        root.output().done("resumed " + queue + "/" + partition,
                Map.of("queue", queue, "partition", partition, "paused", false));
        return ExitCode.OK;
    }

    private PartitionSummary require(String queue, String partition) {
        return root.operator().partitions().find(queue, partition)
                .orElseThrow(() -> CommandFailed.byUser("there is no partition " + partition + " in " + queue));
    }
}
