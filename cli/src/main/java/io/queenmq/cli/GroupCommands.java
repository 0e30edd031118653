package io.queenmq.cli;

import io.queenmq.cli.output.Column;
import io.queenmq.client.operator.GroupPartition;
import io.queenmq.client.operator.GroupSummary;
import io.queenmq.client.operator.SeekTarget;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code queen group …}. */
@Command(name = "group", description = "Manage consumer groups: list, describe, lag, seek, delete, pause, resume.", synopsisSubcommandLabel = "COMMAND")
final class GroupCommands extends Family {
    private static final List<Column<GroupSummary>> LIST = List.of(Column.of("name", GroupSummary::name),
            Column.of("queue", GroupSummary::queue), Column.of("state", GroupSummary::state),
            Column.of("consumers", GroupSummary::consumers), Column.of("unread", GroupSummary::totalLag),
            Column.of("oldestUnreadSeconds", GroupSummary::oldestUnread),
            Column.of("partitionsBehind", GroupSummary::partitionsWithLag),
            Column.of("partitions", GroupSummary::members), Column.data("paused", GroupSummary::isPaused),
            Column.wide("subscriptionMode", GroupSummary::subscriptionMode),
            Column.wide("subscriptionAt", GroupSummary::subscriptionAt));

    private static final List<Column<GroupPartition>> PARTITIONS = List.of(Column.of("queue", GroupPartition::queue),
            Column.of("partition", GroupPartition::partition), Column.of("unread", GroupPartition::offsetLag),
            Column.of("oldestUnreadSeconds", GroupPartition::oldestUnread),
            Column.of("leased", GroupPartition::isLeased), Column.of("totalConsumed", GroupPartition::totalConsumed),
            Column.wide("lastConsumedAt", GroupPartition::lastConsumedAt),
            Column.wide("leaseId", GroupPartition::leaseId));

    @ParentCommand
    private QueenCommand root;

    @Command(description = {"List consumer groups with their queues.",
        "With consumers: Stable, or Lagging if a message has been due for over 5 minutes. Without consumers: Idle or Dead. "
                + "Paused: no messages are delivered."})
    int list(@Option(names = {"-q",
        "--queue"}, paramLabel = "QUEUE", description = "Only this queue.") @Nullable String queue) {
        root.output().list(LIST, root.operator().groups().list().stream()
                .filter(each -> queue == null || queue.equals(each.queue())).toList());
        return ExitCode.OK;
    }

    @Command(description = "Show the partitions of a consumer group.")
    int describe(@Parameters(paramLabel = "GROUP", description = "Name of the consumer group.") String group,
            @Option(names = {"-q",
                "--queue"}, paramLabel = "QUEUE", description = "Only this queue.") @Nullable String queue) {
        List<GroupPartition> partitions = partitions(group, queue);
        root.output().list(PARTITIONS, partitions);
        return ExitCode.OK;
    }

    @Command(description = {"List the partitions with unread messages of a group, largest lag first.",
        "Reads the first 1,000 partitions of each queue by name; queen lag -g GROUP reads all."})
    int lag(@Parameters(paramLabel = "GROUP", description = "Name of the consumer group.") String group,
            @Option(names = {"-q",
                "--queue"}, paramLabel = "QUEUE", description = "Only this queue.") @Nullable String queue) {
        List<GroupPartition> behind = partitions(group, queue).stream().filter(each -> each.offsetLag() > 0)
                .sorted((a, b) -> Long.compare(b.offsetLag(), a.offsetLag())).toList();
        root.output().list(PARTITIONS, behind);
        return ExitCode.OK;
    }

    @Command(description = "Move a group to another position in all partitions of a queue, or in one. Its leases end.")
    int seek(@Parameters(index = "0", paramLabel = "GROUP", description = "Name of the consumer group.") String group,
            @Parameters(index = "1", paramLabel = "QUEUE", description = "Name of the queue.") String queue,
            @Option(names = "--to", paramLabel = "WHERE", required = true, description = "Position: beginning, end, a time, 15m for 15 minutes ago, or with --partition an offset.") String to,
            @Option(names = {"-p",
                "--partition"}, paramLabel = "PARTITION", description = "Only this partition.") @Nullable String partition,
            @Option(names = "--new", description = "Allow a group that has not read the queue yet, and make this its start position.") boolean isNew,
            @Option(names = {"-y", "--yes"}, description = "Do not ask for confirmation.") boolean isSure) {
        SeekTarget target = Places.parse(to);
        root.confirm(isSure,
                "Move " + group + " to " + Places.inWords(target) + " of "
                        + (partition == null ? queue : queue + "/" + partition)
                        + "? Earlier messages are skipped. Later messages are delivered, finished ones again.");
        ReplayCommand.seek(root, group, queue, partition, target, isNew);
        return ExitCode.OK;
    }

    @Command(description = "Delete a group with its cursors, in all queues or in one. Dead letters are kept.")
    int delete(@Parameters(paramLabel = "GROUP", description = "Name of the consumer group.") String group,
            @Option(names = {"-q",
                "--queue"}, paramLabel = "QUEUE", description = "Only in this queue.") @Nullable String queue,
            @Option(names = "--keep-subscription", description = "Keep the subscription, so that the group restarts from its original start position.") boolean isSubscriptionKept,
            @Option(names = {"-y", "--yes"}, description = "Do not ask for confirmation.") boolean isSure) {
        List<GroupSummary> known = root.operator().groups().list().stream()
                .filter(each -> each.name().equals(group) && (queue == null || queue.equals(each.queue()))).toList();
        if (known.isEmpty()) {
            throw CommandFailed.nothing("there is no group " + group + (queue == null ? "" : " in " + queue));
        }
        root.confirm(isSure, "Delete the cursors of " + group + " in "
                + String.join(", ", known.stream().map(GroupSummary::queue).toList()) + "?");
        if (queue == null) {
            root.operator().groups().delete(group, isSubscriptionKept);
        } else {
            root.operator().groups().delete(group, queue, isSubscriptionKept);
        }
        root.output().done("deleted " + group + (queue == null ? "" : " in " + queue), Map.of("deleted", group));
        return ExitCode.OK;
    }

    @Command(description = "Stop delivering messages of a queue to a group.")
    int pause(@Parameters(index = "0", paramLabel = "GROUP", description = "Name of the consumer group.") String group,
            @Parameters(index = "1", paramLabel = "QUEUE", description = "Name of the queue.") String queue) {
        root.operator().groups().pause(group, queue);
        root.output().done("paused " + group + " in " + queue, Map.of("group", group, "queue", queue, "paused", true));
        return ExitCode.OK;
    }

    @Command(description = "Resume delivering messages of a queue to a group.")
    int resume(@Parameters(index = "0", paramLabel = "GROUP", description = "Name of the consumer group.") String group,
            @Parameters(index = "1", paramLabel = "QUEUE", description = "Name of the queue.") String queue) {
        root.operator().groups().resume(group, queue);
        root.output().done("resumed " + group + " in " + queue,
                Map.of("group", group, "queue", queue, "paused", false));
        return ExitCode.OK;
    }

    private List<GroupPartition> partitions(String group, @Nullable String queue) {
        List<GroupPartition> partitions = root.operator().groups().partitions(group);
        if (partitions.isEmpty()
                && root.operator().groups().list().stream().noneMatch(each -> each.name().equals(group))) {
            throw CommandFailed.nothing("there is no group " + group);
        }
        return partitions.stream().filter(each -> queue == null || queue.equals(each.queue())).toList();
    }
}
