package io.queenmq.cli;

import io.queenmq.cli.output.Column;
import io.queenmq.cli.output.Payload;
import io.queenmq.cli.output.Progress;
import io.queenmq.client.operator.DeadLetter;
import io.queenmq.client.operator.DeadLetterError;
import io.queenmq.client.operator.DeadLetters;
import io.queenmq.client.operator.Page;
import io.queenmq.client.operator.PartitionSummary;
import io.queenmq.client.operator.Redrive;
import io.queenmq.client.operator.RedriveRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code queen dlq …}. */
@Command(name = "dlq", description = "Manage dead letters: list, describe, redrive, purge.", synopsisSubcommandLabel = "COMMAND")
final class DeadLetterCommands extends Family {
    private static final Duration LOOK_EVERY = Duration.ofMillis(200);

    private static final List<Column<DeadLetter>> COLUMNS = List.of(Column.of("queue", DeadLetter::queue),
            Column.of("partition", DeadLetter::partition), Column.of("transactionId", DeadLetter::transactionId),
            Column.of("group", DeadLetter::group), Column.of("retryCount", DeadLetter::retryCount),
            Column.of("failedAt", DeadLetter::failedAt), Column.of("reason", DeadLetter::reason),
            Column.of("error", DeadLetter::error), Column.wide("createdAt", DeadLetter::createdAt),
            Column.wide("partitionId", DeadLetter::partitionId), Column.data("id", DeadLetter::id),
            Column.wide("headers", DeadLetter::headers),
            Column.wide("payload", letter -> Payload.of(letter.payload())));

    private static final List<Column<DeadLetterError>> ERRORS = List.of(Column.of("count", DeadLetterError::count),
            Column.of("queue", DeadLetterError::queue), Column.of("group", DeadLetterError::group),
            Column.of("error", DeadLetterError::error), Column.wide("firstFailedAt", DeadLetterError::firstFailedAt),
            Column.of("lastFailedAt", DeadLetterError::lastFailedAt));

    private static final List<Column<Redrive>> REDRIVE = List.of(Column.of("id", Redrive::id),
            Column.of("status", Redrive::status), Column.of("total", Redrive::total),
            Column.of("redriven", Redrive::redriven), Column.of("failed", Redrive::failed),
            Column.of("waitingFor", Redrive::waitingFor), Column.of("lastError", Redrive::lastError));

    @ParentCommand
    private QueenCommand root;

    @Command(description = "List dead letters, latest failures first.")
    int list(@Mixin DeadLetterFilter which,
            @Option(names = "--by-error", description = "List the errors with their counts instead.") boolean isByError,
            @Option(names = {"-n",
                "--limit"}, paramLabel = "N", defaultValue = "100", description = "Maximum number of dead letters (default: 100).") int limit) {
        if (isByError) {
            root.output().list(ERRORS, letters().errors(which.filter(limit)));
            return ExitCode.OK;
        }
        Page<DeadLetter> page = letters().list(which.filter(limit));
        root.output().list(COLUMNS, page.items());
        if (page.total() > page.items().size() && root.shell().isTerminal()) {
            root.output().aside(
                    String.format("%,d of %,d; increase --limit to show more.", page.items().size(), page.total()));
        }
        return ExitCode.OK;
    }

    @Command(description = "Show a dead letter with its payload.")
    int describe(@Parameters(index = "0", paramLabel = "QUEUE", description = "Name of the queue.") String queue,
            @Parameters(index = "1", paramLabel = "PARTITION", description = "Name of the partition.") String partition,
            @Parameters(index = "2", paramLabel = "TRANSACTION-ID", description = "Transaction id of the message.") String transactionId,
            @Option(names = {"-g",
                "--group"}, paramLabel = "GROUP", description = "Consumer group that dead-lettered the message.") @Nullable String group) {
        DeadLetter letter = root.operator().partitions().find(queue, partition).map(PartitionSummary::partitionId)
                .flatMap(id -> letters().find(id, transactionId, group)).orElseThrow(() -> CommandFailed
                        .nothing("there is no dead letter " + transactionId + " in " + queue + "/" + partition));
        root.output().one(COLUMNS.stream().map(column -> Column.of(column.name(), column.value())).toList(), letter);
        return ExitCode.OK;
    }

    @Command(description = {"Push dead letters again, to the end of their partitions, for all groups.",
        "Shows the progress until the redrive has finished. Ctrl-C ends the display, not the redrive. Exit code 4 if there are none."}, footerHeading = "%nExample:%n", footer = "  queen dlq redrive orders --error timeout --rate 50")
    int redrive(@Mixin DeadLetterFilter which, @Option(names = {"-n",
        "--limit"}, paramLabel = "N", description = "Maximum number of dead letters (default: all).") @Nullable Integer limit,
            @Option(names = "--rate", paramLabel = "N", defaultValue = "0", description = "Maximum messages per second (default: no limit).") int rate,
            @Option(names = "--to-queue", paramLabel = "QUEUE", description = "Push to this queue (default: their own).") @Nullable String toQueue,
            @Option(names = "--to-partition", paramLabel = "PARTITION", description = "Push to this partition (default: their own).") @Nullable String toPartition,
            @Option(names = "--dry-run", description = "Show the number of dead letters without pushing them.") boolean isDry,
            @Option(names = "--detach", description = "Return at once instead of waiting for the end of the redrive.") boolean isDetached) {
        RedriveRequest request = RedriveRequest.of(which.filter(limit == null ? Integer.MAX_VALUE : limit))
                .to(toQueue, toPartition).ratePerSecond(rate);
        which.requireQueue();
        long count = letters().countFor(request);
        if (count == 0) {
            throw CommandFailed.nothing("no dead letters match");
        }
        if (isDry) {
            root.output().done(String.format("%,d dead letters would be pushed again", count),
                    Map.of("dryRun", true, "total", count));
            return ExitCode.OK;
        }
        Redrive redrive = letters().redrive(request);
        redrive = isDetached ? redrive : awaitEnd(redrive);
        root.output().one(REDRIVE, redrive);
        if (redrive.hasFailed()) {
            throw CommandFailed.byServer("redrive failed: " + redrive.lastError());
        }
        if (redrive.failed() > 0) {
            throw CommandFailed
                    .byServer(redrive.failed() + " could not be pushed and stay dead letters: " + redrive.lastError());
        }
        return ExitCode.OK;
    }

    @Command(description = "Delete dead letters of a queue permanently. Exit code 4 if there are none.")
    int purge(@Mixin DeadLetterFilter which,
            @Option(names = {"-y", "--yes"}, description = "Do not ask for confirmation.") boolean isSure) {
        which.requireQueue();
        long count = letters().list(which.filter(1)).total();
        if (count == 0) {
            throw CommandFailed.nothing("no dead letters match");
        }
        root.confirm(isSure, String.format("Delete %,d dead letters of %s permanently?", count, which.queue()));
        long purged = letters().purge(which.filter(1));
        root.output().done(String.format("deleted %,d dead letters", purged), Map.of("purged", purged));
        return ExitCode.OK;
    }

    private DeadLetters letters() {
        return root.operator().deadLetters();
    }

    private Redrive awaitEnd(Redrive begun) {
        Redrive redrive = begun;
        try (Progress progress = root.progress()) {
            while (redrive.isRunning()) {
                Thread.sleep(LOOK_EVERY);
                redrive = letters().findRedrive(begun.id()).orElse(redrive);
                progress.show(
                        String.format("redriven %,d of %,d", redrive.redriven(), redrive.total())
                                + (redrive.failed() == 0 ? "" : String.format(", %,d failed", redrive.failed())),
                        redrive.waitingFor());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return redrive;
    }
}
