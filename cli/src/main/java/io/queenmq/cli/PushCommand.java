package io.queenmq.cli;

import io.queenmq.cli.output.Progress;
import io.queenmq.client.Json;
import io.queenmq.client.Message;
import io.queenmq.client.PushResult;
import io.queenmq.client.PushResult.Duplicate;
import io.queenmq.client.PushResult.Queued;
import io.queenmq.client.PushResult.Stored;
import io.queenmq.client.QueueView;
import io.queenmq.client.RejectedException;
import io.queenmq.client.error.QueenException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code queen push}. Messages of one partition are stored in the order in which they are read. */
@Command(name = "push", description = {"Push messages to a queue.",
    "Payloads are JSON: arguments, a file, or a pipe with one payload per line."}, footerHeading = "%nExamples:%n", footer = {
        "  queen push orders '{\"total\":10}' -p customer-42", "  queen push orders --file order.json",
        "  queen push orders --partition-key customer --transaction-key id < orders.ndjson",
        "  tail -F app.log | queen push logs --text"})
final class PushCommand implements Runnable {
    private static final int BATCH_MESSAGES_MAX = 500;
    private static final int BATCH_CHARACTERS_MAX = 4_000_000;
    private static final Duration RETRY_LIMIT = Duration.ofSeconds(30);

    @ParentCommand
    private QueenCommand root;

    @Parameters(index = "0", paramLabel = "QUEUE", description = "Name of the queue, which is created if it does not exist.")
    private String queue;

    @Parameters(index = "1..*", paramLabel = "PAYLOAD", description = "Payloads to push.")
    private List<String> payloads = List.of();

    @Option(names = {"-f",
        "--file"}, paramLabel = "FILE", description = "Read payloads from this file (-: standard input).")
    private @Nullable String file;

    @Option(names = {"-p",
        "--partition"}, paramLabel = "PARTITION", description = "Name of the partition (default: Default).")
    private @Nullable String partition;

    @Option(names = "--partition-key", paramLabel = "FIELD", description = "Read the partition from this field of each payload, such as customer.id.")
    private @Nullable String partitionKey;

    @Option(names = "--transaction-id", paramLabel = "ID", description = "Transaction id of a single message. A partition stores each id once.")
    private @Nullable String transactionId;

    @Option(names = "--transaction-key", paramLabel = "FIELD", description = "Read the transaction id from this field of each payload, so that a file can be pushed again.")
    private @Nullable String transactionKey;

    @Option(names = "--trace-id", paramLabel = "UUID", description = "Trace id, delivered to consumers unchanged.")
    private @Nullable UUID traceId;

    @Option(names = {"-H",
        "--header"}, paramLabel = "NAME=VALUE", description = "Header, delivered with the payload. Repeat the option for more headers.")
    private Map<String, String> headers = Map.of();

    @Option(names = "--text", description = "Treat payloads as texts: push each as a JSON string.")
    private boolean isText;

    private final List<Message<Json>> batch = new ArrayList<>();
    private int batchCharacters;
    private long queued;
    private long spooled;
    private long duplicates;
    private @Nullable PayloadKey parsedKey;
    private @Nullable PayloadKey idKey;
    private @Nullable Stored last;

    @Override
    public void run() {
        if (partition != null && partitionKey != null) {
            throw CommandFailed.byUser("--partition and --partition-key cannot be combined; use one of them");
        }
        if (!payloads.isEmpty() && file != null) {
            throw CommandFailed.byUser("payloads and --file cannot be combined; use one of them");
        }
        parsedKey = partitionKey == null ? null : new PayloadKey(partitionKey);
        idKey = transactionKey == null ? null : new PayloadKey(transactionKey);
        QueueView<Json> target = root.queen(RETRY_LIMIT).queue(queue, Json.class);
        try (Progress progress = root.progress()) {
            if (payloads.isEmpty()) {
                try (PayloadReader reader = open()) {
                    pushAll(target, reader, progress);
                }
            } else {
                for (String each : payloads) {
                    pushAll(target, argument(each), progress);
                }
            }
            flush(target, progress);
        }
        report();
    }

    private PayloadReader argument(String payload) {
        String line = isText ? payload.replace('\n', ' ') : payload;
        return new PayloadReader(new ByteArrayInputStream(line.getBytes(StandardCharsets.UTF_8)), "the payload",
                isText);
    }

    private PayloadReader open() {
        if (file != null && !file.equals("-")) {
            return new PayloadReader(openFile(file), file, isText);
        }
        if (file == null && root.shell().isTerminal()) {
            throw CommandFailed.byUser("nothing to push; use a payload, --file FILE, or a pipe with NDJSON");
        }
        return new PayloadReader(root.shell().in(), "standard input", isText);
    }

    static InputStream openFile(String file) {
        try {
            return Files.newInputStream(Path.of(file));
        } catch (NoSuchFileException e) {
            throw CommandFailed.byUser("there is no file " + file);
        } catch (IOException e) {
            throw CommandFailed.byUser("cannot read " + file + ": " + e.getMessage());
        }
    }

    private void pushAll(QueueView<Json> target, PayloadReader reader, Progress progress) {
        for (String payload = reader.next(); payload != null; payload = reader.next()) {
            if (transactionId != null && (last != null || !batch.isEmpty())) {
                throw CommandFailed.byUser("--transaction-id requires a single message; use --transaction-key");
            }
            batch.add(message(payload, reader.place()));
            batchCharacters += payload.length();
            if (batch.size() == BATCH_MESSAGES_MAX || batchCharacters > BATCH_CHARACTERS_MAX) {
                flush(target, progress);
            }
        }
    }

    private Message<Json> message(String payload, String place) {
        try {
            return new Message<>(new Json(payload), parsedKey == null ? partition : parsedKey.of(payload, place),
                    idKey == null ? transactionId : idKey.of(payload, place), traceId, headers);
        } catch (CommandFailed e) {
            throw CommandFailed.byUser(e.getMessage() + soFar());
        }
    }

    private void flush(QueueView<Json> target, Progress progress) {
        if (batch.isEmpty()) {
            return;
        }
        try {
            target.pushMessages(batch).forEach(this::count);
        } catch (RejectedException e) {
            // Stop at the first failure: later messages must not overtake a rejected one of their partition.
            for (PushResult each : e.results()) {
                if (each instanceof Stored stored) {
                    count(stored);
                }
            }
            throw CommandFailed.byServer(e.getMessage() + soFar());
        } catch (QueenException e) {
            if (queued + duplicates > 0) {
                root.output().error(soFar().substring(2));
            }
            throw e;
        }
        batch.clear();
        batchCharacters = 0;
        progress.show(String.format("pushed %,d", queued + duplicates));
    }

    private void count(Stored stored) {
        last = stored;
        if (stored instanceof Duplicate) {
            duplicates++;
        } else {
            queued++;
            if (stored instanceof Queued accepted && accepted.isSpooled()) {
                spooled++;
            }
        }
    }

    private String soFar() {
        return "; " + queued + " messages were pushed before the failure";
    }

    private void report() {
        Stored stored = last;
        if (stored == null) {
            throw CommandFailed.nothing("no messages to push");
        }
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("queue", queue);
        fields.put("queued", queued);
        fields.put("spooled", spooled);
        fields.put("duplicates", duplicates);
        if (queued + duplicates == 1) {
            fields.put("transactionId", stored.transactionId());
            fields.put("messageId", stored.messageId());
            fields.put("partitionId", stored.partitionId());
            String outcome = duplicates > 0 ? "already stored: " : spooled > 0 ? "spooled " : "pushed ";
            root.output().done(outcome + stored.transactionId(), fields);
            explainSpool();
            return;
        }
        root.output()
                .done(String.format("pushed %,d messages", queued)
                        + (spooled == 0 ? "" : String.format(", %,d of them are spooled", spooled))
                        + (duplicates == 0 ? "" : String.format(", %,d were already stored", duplicates)), fields);
        explainSpool();
    }

    /** Spooled messages are accepted, but consumers get them later. */
    private void explainSpool() {
        if (spooled > 0) {
            root.output().aside("Spooled messages are on the disk of the server, which stores them later: "
                    + root.operator().state().summary());
        }
    }
}
