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
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/**
 * {@code queen tail}. Following reads with a group of its own, which is deleted at the end: other groups get all they would have got
 * anyway.
 */
@Command(name = "tail", description = {"Show the latest messages, and with -f those that come.",
    "Nothing is taken from anybody: -f reads with a group of its own, which is deleted at the end (needs an admin's token)."})
final class TailCommand implements Runnable {
    private static final int BATCH = 1000;
    private static final int PARTITIONS_AT_A_TIME = 100;
    private static final Duration WAIT = Duration.ofSeconds(20);

    @ParentCommand
    private QueenCommand root;

    @Parameters(paramLabel = "QUEUE", description = "The queue.")
    private String queue;

    @Option(names = {"-f", "--follow"}, description = "Go on with what comes, until Ctrl-C.")
    private boolean isFollowing;

    @Option(names = {"-n",
        "--lines"}, paramLabel = "N", defaultValue = "10", description = "How many of the latest; 10.")
    private int lines;

    @Option(names = {"-p", "--partition"}, paramLabel = "PARTITION", description = "Only this partition.")
    private String partition;

    /** A message, however it was found. */
    private record Line(Instant createdAt, String partition, String transactionId, String id, Payload data) {
        private static final List<Column<Line>> COLUMNS = List.of(Column.of("createdAt", Line::createdAt),
                Column.of("partition", Line::partition), Column.of("transactionId", Line::transactionId),
                Column.data("id", Line::id), Column.of("data", Line::data));
    }

    @Override
    public void run() {
        if (!isFollowing) {
            if (showLatest().isEmpty()) {
                throw CommandFailed.nothing("there are no messages in " + queue);
            }
            return;
        }
        String name = "tail-" + UUID.randomUUID();
        // Whoever may not delete the group in the end must not make it: it would lag behind for ever.
        root.operator().groups().delete(name, false);
        try (Interruption interruption = Interruption.ofThisThread()) {
            try {
                follow(group(name));
            } catch (QueenException e) {
                if (!interruption.isAsked()) {
                    throw e;
                }
            } finally {
                interruption.passed();
                forget(name);
            }
        }
    }

    private void follow(GroupView<Json> group) {
        // From here on nothing is missed, so what was there already is asked for afterwards.
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

    /** The ids of what was shown. */
    private List<String> showLatest() {
        if (lines == 0) {
            return List.of();
        }
        MessageFilter filter = MessageFilter.any().queue(queue).partition(partition).between(Instant.EPOCH, null)
                .page(lines, 0);
        List<MessageSummary> found = root.operator().messages().list(filter).reversed().stream()
                // Too large to be listed in a page of this size.
                .filter(each -> !each.transactionId().isEmpty()).toList();
        for (MessageSummary each : found) {
            // It may have been deleted since.
            root.operator().messages().find(each.partitionId(), each.transactionId()).map(MessageDetail::payload)
                    .ifPresent(payload -> root.output().next(Line.COLUMNS, new Line(each.createdAt(),
                            each.partition(), each.transactionId(), each.id(), new Payload(payload))));
        }
        return found.stream().map(MessageSummary::id).toList();
    }

    private void show(Delivery<Json> delivery, Set<String> shown) {
        if (!shown.remove(delivery.messageId())) {
            root.output().next(Line.COLUMNS, new Line(delivery.createdAt(), delivery.partition(),
                    delivery.transactionId(), delivery.messageId(),
                    new Payload(new String(delivery.payload(), StandardCharsets.UTF_8))));
        }
    }

    private void forget(String group) {
        try {
            root.operator().groups().delete(group, false);
        } catch (QueenException | IllegalStateException e) {
            root.output().aside("The group " + group + " could not be deleted: " + e.getMessage());
        }
    }
}
