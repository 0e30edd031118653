package io.queenmq.cli;

import io.queenmq.client.AckResult;
import io.queenmq.client.Batch;
import io.queenmq.client.Delivery;
import io.queenmq.client.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code queen ack}. */
@Command(name = "ack", description = {"Say what became of messages that were popped.",
    "They are named by a file that `queen pop -o ndjson` has written, or one by one."}, footerHeading = "%nExamples:%n", footer = {
        "  queen ack --file work.ndjson",
        "  queen pop orders -g billing -o ndjson | queen ack --file -",
        "  queen ack order-1 --partition-id ID --lease ID -g billing --status failed --error 'no stock'"})
final class AckCommand implements Runnable {
    @ParentCommand
    private QueenCommand root;

    @Parameters(arity = "0..*", paramLabel = "TRANSACTION-ID", description = "The messages, in the order of their partition.")
    private List<String> transactionIds = List.of();

    @Option(names = {"-f",
        "--file"}, paramLabel = "FILE", description = "What pop has printed; - for the standard input.")
    private String file;

    @Option(names = "--partition-id", paramLabel = "ID", description = "Their partition.")
    private String partitionId;

    @Option(names = "--lease", paramLabel = "ID", description = "The lease they were popped under.")
    private String leaseId;

    @Option(names = {"-g", "--group"}, paramLabel = "GROUP", description = "The group they were popped for.")
    private String group;

    @Option(names = {"-s",
        "--status"}, paramLabel = "STATUS", defaultValue = "completed", description = "completed; failed: delivered again until its deliveries are used up; retry: delivered again, uncounted; "
                + "dlq: to the dead letters.")
    private Status status;

    @Option(names = "--error", paramLabel = "TEXT", description = "What went wrong.")
    private String error;

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
            throw CommandFailed.nothing("there was nothing to acknowledge");
        }
        List<AckResult> results = new ArrayList<>();
        // A batch that is not closed hands nothing back: what nothing is said about stays leased.
        for (Batch<Json> batch : deliveries.batches(root.queen())) {
            results.addAll(say(batch));
        }
        report(results);
    }

    private DeliveryFile deliveries() {
        if (file != null) {
            return DeliveryFile.read(file, root.shell());
        }
        if (transactionIds.isEmpty() || partitionId == null || leaseId == null) {
            throw CommandFailed.byUser("give --file, or TRANSACTION-ID with --partition-id and --lease");
        }
        return DeliveryFile.of(transactionIds, partitionId, leaseId, group);
    }

    private List<AckResult> say(Batch<Json> batch) {
        if (status == Status.COMPLETED) {
            return batch.ack();
        }
        List<AckResult> results = new ArrayList<>();
        for (Delivery<Json> each : batch) {
            results.add(switch (status) {
                case FAILED -> batch.fail(each, error);
                case RETRY -> batch.handBack(each);
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
        root.output().done(accepted + (accepted == 1 ? " message " : " messages ")
                + (status == Status.COMPLETED ? "finished" : "acknowledged as " + status.name().toLowerCase())
                + (dead == 0 ? "" : ", " + dead + " dead-lettered"),
                Map.of("accepted", accepted, "deadLettered", dead, "refused", lost.size()));
        if (!lost.isEmpty()) {
            throw CommandFailed.byUser(lost.size() + " refused: " + lost.getFirst());
        }
    }
}
