package io.queenmq.cli;

import io.queenmq.cli.output.Column;
import io.queenmq.cli.output.Payload;
import io.queenmq.client.Delivery;
import io.queenmq.client.GroupView;
import io.queenmq.client.Json;
import io.queenmq.client.PopOptions;
import io.queenmq.client.QueueView;
import io.queenmq.client.StartPosition;
import io.queenmq.client.error.QueenException;
import io.queenmq.client.operator.MessageDetail;
import io.queenmq.client.operator.MessageFilter;
import io.queenmq.client.operator.MessageSummary;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/**
 * {@code queen tail}. With --follow it reads with a group of its own, which is deleted at the end. Other groups are not affected.
 */
@Command(name = "tail", description = {"Show the latest messages, and with -f new ones as they are pushed.",
    "Other groups are not affected: -f reads with a group of its own, which is deleted at the end (requires the role admin)."})
final class TailCommand implements Runnable {
    private static final int BATCH = 1000;
    private static final int PARTITIONS_AT_A_TIME = 100;
    private static final Duration WAIT = Duration.ofSeconds(20);

    @ParentCommand
    private QueenCommand root;

    @Parameters(paramLabel = "QUEUE", description = "Name of the queue.")
    private String queue;

    @Option(names = {"-f", "--follow"}, description = "Show new messages until Ctrl-C.")
    private boolean isFollowing;

    @Option(names = {"-n",
        "--lines"}, paramLabel = "N", defaultValue = "10", description = "Number of latest messages to show first (default: 10).")
    private int lines;

    @Option(names = {"-p", "--partition"}, paramLabel = "PARTITION", description = "Only messages of this partition.")
    private @Nullable String partition;

    /** A listed or delivered message. */
    private record Line(Instant createdAt, String partition, String transactionId, String id, Payload data) {
        private static final List<Column<Line>> COLUMNS = List.of(Column.of("createdAt", Line::createdAt),
                Column.of("partition", Line::partition), Column.of("transactionId", Line::transactionId),
                Column.data("id", Line::id), Column.of("data", Line::data));
    }

    @Override
    public void run() {
        if (!isFollowing) {
            if (showLatest().isEmpty()) {
                throw CommandFailed.nothing("no messages in " + queue);
            }
            return;
        }
        String name = "tail-" + UUID.randomUUID();
        // Checks the right to delete the group before creating it: a remaining group would lag and prevent retention.
        root.operator().groups().delete(name, false);
        try (Interruption interruption = Interruption.ofThisThread()) {
            try {
                follow(group(name));
            } catch (QueenException e) {
                if (!interruption.isRequested()) {
                    throw e;
                }
            } finally {
                interruption.clear();
                deleteGroup(name);
            }
        }
    }

    private void follow(GroupView<Json> group) {
        // Subscribe first and list the latest messages second, so that no message is missed in between.
        PopOptions options = PopOptions.DEFAULT.batch(BATCH).from(StartPosition.now());
        options = partition == null ? options.maxPartitions(PARTITIONS_AT_A_TIME) : options;
        List<Delivery<Json>> early = group.popAtMostOnce(options).deliveries();
        Set<String> shown = new HashSet<>(showLatest());
        early.forEach(each -> show(each, shown));
        while (!Thread.currentThread().isInterrupted()) {
            group.popAtMostOnce(options.waitFor(WAIT)).forEach(each -> show(each, shown));
        }
    }

    private GroupView<Json> group(String name) {
        QueueView<Json> view = root.queen().queue(queue, Json.class);
        return partition == null ? view.group(name) : view.partition(partition).group(name);
    }

    /** Returns the ids of the shown messages. */
    private List<String> showLatest() {
        if (lines == 0) {
            return List.of();
        }
        MessageFilter filter = MessageFilter.any().queue(queue).partition(partition).between(Instant.EPOCH, null)
                .page(lines, 0);
        List<MessageSummary> found = root.operator().messages().list(filter).reversed().stream()
                // Too large for a page of this size.
                .filter(each -> !each.transactionId().isEmpty()).toList();
        for (MessageSummary each : found) {
            // The message may have been deleted.
            root.operator().messages().find(each.partitionId(), each.transactionId()).map(MessageDetail::payload)
                    .ifPresent(payload -> root.output().next(Line.COLUMNS, new Line(each.createdAt(), each.partition(),
                            each.transactionId(), each.id(), new Payload(payload))));
        }
        return found.stream().map(MessageSummary::id).toList();
    }

    private void show(Delivery<Json> delivery, Set<String> shown) {
        if (!shown.remove(delivery.messageId())) {
            root.output().next(Line.COLUMNS,
                    new Line(delivery.createdAt(), delivery.partition(), delivery.transactionId(), delivery.messageId(),
                            new Payload(new String(delivery.payload(), StandardCharsets.UTF_8))));
        }
    }

    private void deleteGroup(String group) {
        try {
            root.operator().groups().delete(group, false);
        } catch (QueenException | IllegalStateException e) {
            root.output().aside("The group " + group + " could not be deleted: " + e.getMessage());
        }
    }
}
