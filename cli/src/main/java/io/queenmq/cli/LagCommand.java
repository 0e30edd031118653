package io.queenmq.cli;

import io.queenmq.cli.output.Column;
import io.queenmq.client.operator.LaggingPartition;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** {@code queen lag}. */
@Command(name = "lag", description = "List partitions whose oldest unread message is overdue, for all groups that are not paused.")
final class LagCommand implements Runnable {
    private static final List<Column<LaggingPartition>> COLUMNS = List.of(Column.of("group", LaggingPartition::group),
            Column.of("queue", LaggingPartition::queue), Column.of("partition", LaggingPartition::partition),
            Column.of("unread", LaggingPartition::offsetLag),
            Column.of("oldestUnreadSeconds", LaggingPartition::oldestUnread),
            Column.wide("oldestUnconsumedAt", LaggingPartition::oldestUnconsumedAt),
            Column.wide("partitionId", LaggingPartition::partitionId));

    @ParentCommand
    private QueenCommand root;

    @Option(names = "--min", paramLabel = "TIME", defaultValue = "1m", converter = Moments.ToDuration.class, description = "Minimum age of the oldest unread message (default: 1m).")
    private Duration min;

    @Option(names = {"-g", "--group"}, paramLabel = "GROUP", description = "Only this consumer group.")
    private @Nullable String group;

    @Option(names = {"-q", "--queue"}, paramLabel = "QUEUE", description = "Only this queue.")
    private @Nullable String queue;

    @Override
    public void run() {
        root.output().list(COLUMNS,
                root.operator().groups().lagging(min).stream()
                        .filter(each -> group == null || group.equals(each.group()))
                        .filter(each -> queue == null || queue.equals(each.queue())).toList());
    }
}
