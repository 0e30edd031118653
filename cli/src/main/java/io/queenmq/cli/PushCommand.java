package io.queenmq.cli;

import io.queenmq.cli.output.Progress;
import io.queenmq.client.Json;
import io.queenmq.client.Message;
import io.queenmq.client.PushResult;
import io.queenmq.client.PushResult.Duplicate;
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
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code queen push}. Messages of one partition are stored in the order in which they are read. */
@Command(name = "push", description = {"Push messages.",
    "Payloads are JSON: the arguments, or a file, or what comes through a pipe, one on each line."}, footerHeading = "%nExamples:%n", footer = {
        "  queen push orders '{\"total\":10}' -p customer-42",
        "  queen push orders --file order.json",
        "  queen push orders --partition-key customer --transaction-key id < orders.ndjson",
        "  tail -F app.log | queen push logs --text"})
final class PushCommand implements Runnable {
    private static final int BATCH_MESSAGES_MAX = 500;
    private static final int BATCH_CHARACTERS_MAX = 4_000_000;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @ParentCommand
    private QueenCommand root;

    @Parameters(index = "0", paramLabel = "QUEUE", description = "The queue; it is created if need be.")
    private String queue;

    @Parameters(index = "1..*", paramLabel = "PAYLOAD", description = "What to push.")
    private List<String> payloads = List.of();

    @Option(names = {"-f",
        "--file"}, paramLabel = "FILE", description = "Push what is in the file; - for the standard input.")
    private String file;

    @Option(names = {"-p",
        "--partition"}, paramLabel = "PARTITION", description = "The partition; Default if not given.")
    private String partition;

    @Option(names = "--partition-key", paramLabel = "FIELD", description = "Take the partition from this field of each payload, as in customer.id.")
    private String partitionKey;

    @Option(names = "--transaction-id", paramLabel = "ID", description = "Names the message: a partition stores the same id once. For a single message.")
    private String transactionId;

    @Option(names = "--transaction-key", paramLabel = "FIELD", description = "Take that from this field of each payload, so that a file can be pushed again.")
    private String transactionKey;

    @Option(names = "--trace-id", paramLabel = "UUID", description = "Handed to consumers as it is.")
    private UUID traceId;

    @Option(names = {"-H",
        "--header"}, paramLabel = "NAME=VALUE", description = "Handed to consumers beside the payload; may be repeated.")
    private Map<String, String> headers = Map.of();

    @Option(names = "--text", description = "Payloads are texts, not JSON: each becomes a JSON string.")
    private boolean isText;

    private final List<Message<Json>> batch = new ArrayList<>();
    private int batchCharacters;
    private long queued;
    private long duplicates;
    private PayloadKey parsedKey;
    private PayloadKey idKey;
    private Stored last;

    @Override
    public void run() {
        if (partition != null && partitionKey != null) {
            throw CommandFailed.byUser("--partition and --partition-key exclude each other");
        }
        if (!payloads.isEmpty() && file != null) {
            throw CommandFailed.byUser("give payloads or --file, not both");
        }
        parsedKey = partitionKey == null ? null : new PayloadKey(partitionKey);
        idKey = transactionKey == null ? null : new PayloadKey(transactionKey);
        QueueView<Json> target = root.queen(PATIENCE).queue(queue, Json.class);
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
            throw CommandFailed.byUser("nothing to push: give a payload, --file FILE, or NDJSON through a pipe");
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
                throw CommandFailed.byUser("--transaction-id is for a single message; use --transaction-key");
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
            // What follows in the partitions must not overtake what was not taken, so this is the end.
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
        }
    }

    private String soFar() {
        return "; " + queued + " messages were pushed before that";
    }

    private void report() {
        if (last == null) {
            throw CommandFailed.nothing("there was nothing to push");
        }
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("queue", queue);
        fields.put("queued", queued);
        fields.put("duplicates", duplicates);
        if (queued + duplicates == 1) {
            fields.put("transactionId", last.transactionId());
            fields.put("messageId", last.messageId());
            fields.put("partitionId", last.partitionId());
            root.output().done((duplicates == 0 ? "pushed " : "was there already: ") + last.transactionId(), fields);
            return;
        }
        root.output().done(String.format("pushed %,d messages", queued)
                + (duplicates == 0 ? "" : String.format(", %,d were there already", duplicates)), fields);
    }
}
