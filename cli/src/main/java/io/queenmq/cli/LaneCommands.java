package io.queenmq.cli;

import io.queenmq.cli.output.Column;
import io.queenmq.client.operator.Explanation;
import io.queenmq.client.operator.LaneFilter;
import io.queenmq.client.operator.LaneGroup;
import io.queenmq.client.operator.LanePage;
import io.queenmq.client.operator.LaneSummary;
import io.queenmq.client.operator.SeekTarget;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code queen lane …}. */
@Command(name = "lane", description = "Lanes: list, describe, explain, seek, skip, pause, resume.", synopsisSubcommandLabel = "COMMAND")
final class LaneCommands extends Family {
    private static final int PAGE_MAX = 1000;

    private static final List<Column<LaneSummary>> LIST = List.of(Column.wide("queue", LaneSummary::queue),
            Column.of("partition", LaneSummary::partition), Column.of("state", LaneSummary::state),
            Column.of("group", LaneSummary::group), Column.of("offset", LaneSummary::offset),
            Column.of("head", LaneSummary::head), Column.of("unread", LaneSummary::offsetLag),
            Column.of("oldestUnreadSeconds", LaneSummary::oldestUnread), Column.wide("tail", LaneSummary::tail),
            Column.wide("until", LaneSummary::until), Column.wide("attempts", LaneSummary::attempts),
            Column.wide("error", LaneSummary::error), Column.wide("leaseId", LaneSummary::leaseId),
            Column.wide("partitionId", LaneSummary::partitionId), Column.data("paused", LaneSummary::isPaused),
            Column.data("leaseExpiresAt", LaneSummary::leaseExpiresAt));

    private static final List<Column<LaneSummary>> DETAIL = List.of(Column.of("queue", LaneSummary::queue),
            Column.of("partition", LaneSummary::partition), Column.of("partitionId", LaneSummary::partitionId),
            Column.of("head", LaneSummary::head), Column.of("tail", LaneSummary::tail),
            Column.of("paused", LaneSummary::isPaused));

    private static final List<Column<LaneGroup>> GROUPS = List.of(Column.of("group", LaneGroup::group),
            Column.of("state", LaneGroup::state), Column.of("offset", LaneGroup::offset),
            Column.of("unread", LaneGroup::offsetLag), Column.of("oldestUnreadSeconds", LaneGroup::oldestUnread),
            Column.of("attempts", LaneGroup::attempts), Column.of("error", LaneGroup::error),
            Column.of("totalConsumed", LaneGroup::totalConsumed),
            Column.wide("totalDeadLettered", LaneGroup::totalDeadLettered),
            Column.wide("totalSkipped", LaneGroup::totalSkipped), Column.wide("leaseId", LaneGroup::leaseId),
            Column.wide("leaseExpiresAt", LaneGroup::leaseExpiresAt), Column.wide("until", LaneGroup::until));

    private static final List<Column<Explanation>> EXPLANATION = List.of(Column.of("state", Explanation::state),
            Column.of("reason", Explanation::reason), Column.of("until", Explanation::until),
            Column.of("attempts", Explanation::attempts), Column.of("error", Explanation::error),
            Column.of("leaseId", Explanation::leaseId), Column.of("offset", Explanation::offset),
            Column.of("pending", Explanation::pending), Column.of("expired", Explanation::expired));

    @ParentCommand
    private QueenCommand root;

    @Command(description = "The lanes of a queue, or of all, as a group stands in them, or the slowest one.")
    int list(@Parameters(arity = "0..1", paramLabel = "QUEUE", description = "The queue.") String queue,
            @Option(names = {"-g", "--group"}, paramLabel = "GROUP", description = "The group.") String group,
            @Option(names = "--search", paramLabel = "TEXT", description = "Only names with this in them.") String search,
            @Option(names = "--deepest", description = "The deepest first; in one queue.") boolean isDeepestFirst,
            @Option(names = {"-n",
                "--limit"}, paramLabel = "N", defaultValue = "100", description = "At most so many; 100.") int limit) {
        LaneFilter filter = LaneFilter.any().queue(queue).group(group).search(search);
        filter = isDeepestFirst ? filter.deepestFirst() : filter;
        List<LaneSummary> lanes = new ArrayList<>();
        String after = null;
        do {
            LanePage page = root.operator().lanes().list(filter.page(Math.min(limit - lanes.size(), PAGE_MAX), after));
            lanes.addAll(page.lanes());
            after = page.next();
        } while (after != null && lanes.size() < limit);
        root.output().list(LIST, lanes);
        if (after != null && root.shell().isTerminal()) {
            root.output().aside("There are more; see --limit.");
        }
        return ExitCode.OK;
    }

    @Command(description = "One lane, and how each group stands there.")
    int describe(@Parameters(index = "0", paramLabel = "QUEUE", description = "The queue.") String queue,
            @Parameters(index = "1", paramLabel = "LANE", description = "The lane.") String partition) {
        LaneSummary lane = require(queue, partition);
        List<LaneGroup> groups = root.operator().lanes().groups(lane.partitionId());
        Map<String, Object> whole = new LinkedHashMap<>();
        DETAIL.forEach(column -> whole.put(column.name(), column.value().apply(lane)));
        whole.put("groups", groups.stream().map(group -> {
            Map<String, Object> fields = new LinkedHashMap<>();
            GROUPS.forEach(column -> fields.put(column.name(), column.value().apply(group)));
            return fields;
        }).toList());
        root.output().parts(() -> {
            root.output().one(DETAIL, lane);
            root.output().title("Groups");
            root.output().list(GROUPS, groups);
        }, whole);
        return ExitCode.OK;
    }

    @Command(description = "Why is the next message of a lane, or a certain one, not delivered?")
    int explain(@Parameters(index = "0", paramLabel = "QUEUE", description = "The queue.") String queue,
            @Parameters(index = "1", paramLabel = "LANE", description = "The lane.") String partition,
            @Parameters(index = "2", arity = "0..1", paramLabel = "TRANSACTION-ID", description = "The message; the next one if not given.") String transactionId,
            @Option(names = {"-g", "--group"}, paramLabel = "GROUP", description = "For whom.") String group) {
        String lane = require(queue, partition).partitionId();
        root.output().one(EXPLANATION, transactionId == null
                ? root.operator().lanes().explain(lane, group)
                : root.operator().lanes().explain(lane, transactionId, group));
        return ExitCode.OK;
    }

    @Command(description = "Move a group to another place in a lane. Its lease ends.")
    int seek(@Parameters(index = "0", paramLabel = "QUEUE", description = "The queue.") String queue,
            @Parameters(index = "1", paramLabel = "LANE", description = "The lane.") String partition,
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

    @Command(description = "Pass over the first message of a lane that a group has not finished.")
    int skip(@Parameters(index = "0", paramLabel = "QUEUE", description = "The queue.") String queue,
            @Parameters(index = "1", paramLabel = "LANE", description = "The lane.") String partition,
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

    @Command(description = "Hand out nothing of a lane; it takes what is pushed.")
    int pause(@Parameters(index = "0", paramLabel = "QUEUE", description = "The queue.") String queue,
            @Parameters(index = "1", paramLabel = "LANE", description = "The lane.") String partition) {
        root.operator().lanes().pause(require(queue, partition).partitionId());
        root.output().done("paused " + queue + "/" + partition,
                Map.of("queue", queue, "partition", partition, "paused", true));
        return ExitCode.OK;
    }

    @Command(description = "End a pause.")
    int resume(@Parameters(index = "0", paramLabel = "QUEUE", description = "The queue.") String queue,
            @Parameters(index = "1", paramLabel = "LANE", description = "The lane.") String partition) {
        root.operator().lanes().resume(require(queue, partition).partitionId());
        root.output().done("resumed " + queue + "/" + partition,
                Map.of("queue", queue, "partition", partition, "paused", false));
        return ExitCode.OK;
    }

    private LaneSummary require(String queue, String partition) {
        return root.operator().lanes().find(queue, partition)
                .orElseThrow(() -> CommandFailed.byUser("there is no lane " + partition + " in " + queue));
    }
}
