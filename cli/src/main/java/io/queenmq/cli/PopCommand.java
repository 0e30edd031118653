package io.queenmq.cli;

import io.queenmq.cli.output.Progress;
import io.queenmq.client.AckResult;
import io.queenmq.client.Batch;
import io.queenmq.client.Delivery;
import io.queenmq.client.GroupView;
import io.queenmq.client.Json;
import io.queenmq.client.PopOptions;
import io.queenmq.client.QueueView;
import io.queenmq.client.StartPosition;
import io.queenmq.client.operator.ServerState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code queen pop}. */
@Command(name = "pop", description = {"Pop messages and lease them, or finish them at once with --ack.",
    "Exit code 4 if there are no messages."}, footerHeading = "%nExamples:%n", footer = {
        "  queen pop orders -g billing --ack", "  queen pop orders -g billing -n 10 --wait 30s -o ndjson > work.ndjson",
        "  queen ack --file work.ndjson"})
final class PopCommand implements Runnable {
    @ParentCommand
    private QueenCommand root;

    @Parameters(index = "0", arity = "0..1", paramLabel = "QUEUE", description = "Name of the queue.")
    private @Nullable String queue;

    @Option(names = {"-p", "--partition"}, paramLabel = "PARTITION", description = "Only messages of this partition.")
    private @Nullable String partition;

    @Option(names = {"-g",
        "--group"}, paramLabel = "GROUP", description = "Name of the consumer group (default: queue mode, in which all consumers without a group share the messages).")
    private @Nullable String group;

    @Option(names = {"-n",
        "--batch"}, paramLabel = "N", defaultValue = "1", description = "Maximum number of messages (default: 1).")
    private int batch;

    @Option(names = "--partitions", paramLabel = "N", defaultValue = "1", description = "Maximum number of partitions (default: 1).")
    private int partitions;

    @Option(names = {"-w",
        "--wait"}, paramLabel = "TIME", converter = Moments.ToDuration.class, description = "Wait up to this time for a message, such as 30s (default: do not wait).")
    private Duration wait = Duration.ZERO;

    @Option(names = "--ack", description = "Acknowledge the messages as completed after printing them.")
    private boolean isAcked;

    @Option(names = "--from", paramLabel = "TIME|new", description = "Start position of a new group (default: the oldest message).")
    private @Nullable String from;

    @Option(names = "--namespace", paramLabel = "NAME", description = "Pop from all queues of this namespace instead of one queue.")
    private String namespace = "";

    @Option(names = "--task", paramLabel = "NAME", description = "Pop from all queues of this task instead of one queue.")
    private String task = "";

    @Override
    public void run() {
        Batch<Json> messages;
        try (Progress progress = root.progress()) {
            if (!wait.isZero()) {
                progress.show("waiting up to " + wait.toSeconds() + " s for a message");
            }
            messages = source().pop(new PopOptions(batch, wait, partitions, start()));
        }
        if (messages.isEmpty()) {
            throw nothing();
        }
        root.output().list(DeliveryColumns.OF_POP, messages.deliveries());
        // Acknowledge after printing: if the reader of a pipe has ended, the messages are not finished.
        if (isAcked) {
            finish(messages);
        } else if (root.shell().isTerminal()) {
            Delivery<Json> first = messages.deliveries().getFirst();
            root.output().aside("Leased; finish with: queen ack " + first.transactionId() + " --partition-id "
                    + first.partitionId() + " --lease " + first.leaseId() + (group == null ? "" : " -g " + group));
        }
    }

    /** Servers also answer empty while they cannot deliver any message. */
    private CommandFailed nothing() {
        ServerState state = root.operator().state();
        if (!state.isHealthy() || state.maintenance().isPopClosed()) {
            return CommandFailed.byServer("no messages can be delivered: " + state.summary());
        }
        return CommandFailed.nothing("no messages for " + (group == null ? "you" : group));
    }

    private GroupView<Json> source() {
        if (queue == null) {
            if (namespace.isEmpty() && task.isEmpty()) {
                throw CommandFailed.byUser("QUEUE is missing; name a queue, or use --namespace or --task");
            }
            var filtered = root.queen().queuesOf(namespace, task, Json.class);
            return group == null ? filtered.withoutGroup() : filtered.group(group);
        }
        QueueView<Json> whole = root.queen().queue(queue, Json.class);
        if (partition != null) {
            var view = whole.partition(partition);
            return group == null ? view.withoutGroup() : view.group(group);
        }
        return group == null ? whole.withoutGroup() : whole.group(group);
    }

    private @Nullable StartPosition start() {
        if (from == null) {
            return null;
        }
        if (from.equals("new")) {
            return StartPosition.now();
        }
        Instant moment = Moments.instant(from);
        return StartPosition.at(moment);
    }

    private static void finish(Batch<Json> messages) {
        List<AckResult> results = messages.ack();
        for (AckResult each : results) {
            if (each instanceof AckResult.LeaseLost lost) {
                throw CommandFailed.byServer("a message was printed but not acknowledged: " + lost.reason());
            }
        }
    }
}
