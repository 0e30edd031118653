package io.queenmq.cli;

import io.queenmq.cli.output.Column;
import io.queenmq.cli.settings.Target;
import io.queenmq.cli.settings.TlsOptions;
import io.queenmq.client.Queen;
import io.queenmq.client.error.QueenException;
import io.queenmq.client.operator.QueueSummary;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/**
 * {@code queen copy}: reads queues of another server with a consumer group and pushes their messages to this one. The position is
 * the cursor of that group on the source, so that the command has no state of its own.
 */
@Command(name = "copy", description = {"Copy messages from another Queen server, over HTTP.",
    "Messages keep their partition, order, transactionId, traceId and headers. The source keeps its messages.",
    "Run the command again after a failure: it continues where it stopped."}, footerHeading = "%nExamples:%n", footer = {
        "  queen copy --from http://old:6632                     all queues, from their first stored message",
        "  queen copy --from http://old:6632 orders invoices --follow",
        "  queen copy --from old -g billing orders               only what the group billing has not finished",
        "QUEEN_FROM_TOKEN is the token for the source. A context (see queen config) contains its token itself."})
final class CopyCommand implements Runnable {
    static final String GROUP = "queen-copy";

    private static final Duration RETRY_LIMIT = Duration.ofSeconds(2);
    private static final Duration FOLLOW_WAIT = Duration.ofMillis(500);
    private static final int QUEUES_PER_PAGE = 1000;

    @ParentCommand
    private QueenCommand root;

    @Parameters(arity = "0..*", paramLabel = "QUEUE", description = "Queues to copy (default: all queues of the source).")
    private List<String> queues = List.of();

    @Option(names = "--from", paramLabel = "URL", required = true, description = "URL of the source, or the name of a context.")
    private String from;

    @Option(names = {"-g",
        "--group"}, paramLabel = "GROUP", defaultValue = GROUP, description = "Consumer group on the source (default: queen-copy). An existing group moves what it has not finished.")
    private String group;

    @Option(names = {"-n",
        "--batch"}, paramLabel = "N", defaultValue = "1000", description = "Maximum number of messages per pop (default: 1000).")
    private int batch;

    @Option(names = "--retry-for", paramLabel = "DURATION", defaultValue = "5m", converter = Moments.ToDuration.class, description = "Fail after this time without progress (default: 5m).")
    private Duration patience;

    @Option(names = "--follow", description = "Continue with new messages until Ctrl-C.")
    private boolean isFollowing;

    @Override
    public void run() {
        try (Queen source = source(); Interruption interruption = Interruption.ofThisThread()) {
            CopyProgress progress = new CopyProgress(root.progress(), root.output());
            Queen target = root.queen(RETRY_LIMIT);
            CopyRetries retries = new CopyRetries(patience, progress);
            List<String> names = queues.isEmpty() ? retries.call("source", () -> queuesOf(source)) : queues;
            if (names.isEmpty()) {
                throw CommandFailed.nothing("the source has no queues");
            }
            List<QueueCopy> copies = new ArrayList<>();
            for (String name : names) {
                copies.add(new QueueCopy(source, target, name, group, batch, retries, progress));
            }
            try {
                copyAll(copies);
            } catch (QueenException | IllegalStateException e) {
                // The client reports an interrupted request as a failure.
                if (!interruption.isRequested()) {
                    throw e;
                }
            } finally {
                interruption.clear();
                progress.end();
            }
            report(copies);
        }
    }

    private void copyAll(List<QueueCopy> copies) {
        for (QueueCopy each : copies) {
            each.prepare();
        }
        for (QueueCopy each : copies) {
            each.copyAll();
            warnOfDeadLetters(each);
        }
        while (isFollowing && !Thread.currentThread().isInterrupted()) {
            // One queue can wait on the server. Several are polled in turn.
            Duration wait = copies.size() == 1 ? QueueCopy.POP_WAIT : Duration.ZERO;
            long copied = 0;
            for (QueueCopy each : copies) {
                copied += each.copyNext(wait);
            }
            if (copied == 0 && copies.size() > 1) {
                CopyRetries.sleep(FOLLOW_WAIT);
            }
        }
    }

    /** Messages that expired on the source, or whose copies failed too often, are not delivered any more. */
    private void warnOfDeadLetters(QueueCopy copy) {
        long count = group.equals(GROUP) ? copy.deadLettered() : 0;
        if (count > 0) {
            root.output().aside(count + " messages of " + copy.queue() + " are dead letters of the group " + group
                    + " on the source and were not copied; see queen dlq list " + copy.queue() + " -g " + group);
        }
    }

    private Queen source() {
        boolean isUrl = from.contains("://");
        Map<String, String> environment = new HashMap<>(root.shell().environment());
        environment.remove("QUEEN_URL");
        String token = environment.remove("QUEEN_FROM_TOKEN");
        environment.remove("QUEEN_TOKEN");
        Target found = Target.find(isUrl ? from : null, token, TlsOptions.NONE, isUrl ? null : from, environment);
        if (found.urls().stream().anyMatch(root.target().urls()::contains)) {
            throw CommandFailed.byUser("the source and the target are both " + String.join(", ", found.urls())
                    + "; --from names the source, --url the target");
        }
        return Queen.builder().urls(found.urls()).token(found::token).sslContext(found.tls().context())
                .retryFor(RETRY_LIMIT).build();
    }

    private static List<String> queuesOf(Queen source) {
        List<String> names = new ArrayList<>();
        List<QueueSummary> page;
        do {
            page = source.operator().queues().list(QUEUES_PER_PAGE, names.size());
            page.forEach(each -> names.add(each.name()));
        } while (page.size() == QUEUES_PER_PAGE);
        return names.stream().sorted().toList();
    }

    private void report(List<QueueCopy> copies) {
        root.output().list(List.of(Column.of("queue", QueueCopy::queue), Column.of("copied", QueueCopy::copied),
                Column.of("alreadyStored", QueueCopy::duplicates)), copies);
    }
}
