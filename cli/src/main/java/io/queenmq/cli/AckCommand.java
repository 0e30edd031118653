package io.queenmq.cli;

import io.queenmq.client.AckResult;
import io.queenmq.client.Batch;
import io.queenmq.client.Delivery;
import io.queenmq.client.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code queen ack}. */
@Command(name = "ack", description = {"Acknowledge popped messages: completed, failed, to be retried, or dead letters.",
    "Read the messages from the output of `queen pop -o ndjson`, or list their transaction ids."}, footerHeading = "%nExamples:%n", footer = {
        "  queen ack --file work.ndjson", "  queen pop orders -g billing -o ndjson | queen ack --file -",
        "  queen ack order-1 --partition-id ID --lease ID -g billing --status failed --error 'no stock'"})
final class AckCommand implements Runnable {
    @ParentCommand
    private QueenCommand root;

    @Parameters(arity = "0..*", paramLabel = "TRANSACTION-ID", description = "Messages to acknowledge, in the order of their partition.")
    private List<String> transactionIds = List.of();

    @Option(names = {"-f",
        "--file"}, paramLabel = "FILE", description = "Read the messages from this output of queen pop (-: standard input).")
    private @Nullable String file;

    @Option(names = "--partition-id", paramLabel = "ID", description = "Partition id of the messages.")
    private @Nullable String partitionId;

    @Option(names = "--lease", paramLabel = "ID", description = "Lease under which the messages were popped.")
    private @Nullable String leaseId;

    @Option(names = {"-g",
        "--group"}, paramLabel = "GROUP", description = "Consumer group for which the messages were popped.")
    private @Nullable String group;

    @Option(names = {"-s",
        "--status"}, paramLabel = "STATUS", defaultValue = "completed", description = "Outcome: completed; failed: deliver again and count the attempt; retry: deliver again without counting; "
                + "dlq: store as dead letters (default: completed).")
    private Status status;

    @Option(names = "--error", paramLabel = "TEXT", description = "Reason of the failure, shown with dead letters.")
    private @Nullable String error;

    enum Status {
        COMPLETED,
        FAILED,
        RETRY,
        DLQ
    }

    @Override
    public void run() {
        DeliveryFile deliveries = deliveries();
        if (deliveries.isEmpty()) {
            throw CommandFailed.nothing("no messages to acknowledge");
        }
        List<AckResult> results = new ArrayList<>();
        // The batch must not be closed: closing it would release the messages that this command does not acknowledge.
        for (Batch<Json> batch : deliveries.batches(root.queen())) {
            results.addAll(acknowledge(batch));
        }
        report(results);
    }

    private DeliveryFile deliveries() {
        if (file != null) {
            return DeliveryFile.read(file, root.shell());
        }
        if (transactionIds.isEmpty() || partitionId == null || leaseId == null) {
            throw CommandFailed
                    .byUser("messages are missing; use --file, or TRANSACTION-ID with --partition-id and --lease");
        }
        return DeliveryFile.of(transactionIds, partitionId, leaseId, group);
    }

    private List<AckResult> acknowledge(Batch<Json> batch) {
        if (status == Status.COMPLETED) {
            return batch.ack();
        }
        List<AckResult> results = new ArrayList<>();
        for (Delivery<Json> each : batch) {
            results.add(switch (status) {
                case FAILED -> batch.fail(each, error);
                case RETRY -> batch.release(each);
                default -> batch.deadLetter(each, error);
            });
        }
        return results;
    }

    private void report(List<AckResult> results) {
        long dead = results.stream().filter(AckResult.DeadLettered.class::isInstance).count();
        List<String> lost = results.stream().filter(AckResult.LeaseLost.class::isInstance)
                .map(each -> ((AckResult.LeaseLost) each).reason()).toList();
        long accepted = results.size() - lost.size();
        root.output()
                .done(accepted + (accepted == 1 ? " message " : " messages ")
                        + (status == Status.COMPLETED ? "finished" : "acknowledged as " + status.name().toLowerCase())
                        + (dead == 0 ? "" : ", " + dead + " dead-lettered"),
                        Map.of("accepted", accepted, "deadLettered", dead, "refused", lost.size()));
        if (!lost.isEmpty()) {
            throw CommandFailed.byUser(lost.size() + " refused: " + lost.getFirst());
        }
    }
}
