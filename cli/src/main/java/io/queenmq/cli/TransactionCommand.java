package io.queenmq.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.queenmq.cli.output.ExactJson;
import io.queenmq.client.Batch;
import io.queenmq.client.Delivery;
import io.queenmq.client.Json;
import io.queenmq.client.Message;
import io.queenmq.client.PushResult.Stored;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** {@code queen tx}. */
@Command(name = "tx", description = {"Acknowledge messages and push others in one transaction.",
    "Nothing is changed if a lease of an acknowledged message has ended."}, footerHeading = "%nExample:%n", footer = {
        "  queen pop orders -g billing -o ndjson > work.ndjson",
        "  queen tx --ack work.ndjson --push invoices/customer-42='{\"order\":1}'"})
final class TransactionCommand implements Runnable {
    @ParentCommand
    private QueenCommand root;

    @Option(names = "--ack", paramLabel = "FILE", description = "Acknowledge the messages in this output of queen pop -o ndjson (-: standard "
            + "input.")
    private @Nullable String ackFile;

    @Option(names = "--push", paramLabel = "QUEUE[/PARTITION]=JSON", description = "Message to push. Repeat the option for more messages.")
    private List<String> pushes = List.of();

    @Option(names = "--push-file", paramLabel = "FILE", description = "Push the messages in this file: one object per line with queue, payload, and optionally partition and transactionId.")
    private @Nullable String pushFile;

    private record Push(String queue, Message<Json> message) {}

    @Override
    public void run() {
        if ("-".equals(ackFile) && "-".equals(pushFile)) {
            throw CommandFailed.byUser("only one of --ack and --push-file can be the standard input");
        }
        List<Push> messages = messages();
        List<Batch<Json>> batches = ackFile == null
                ? List.of()
                : DeliveryFile.read(ackFile, root.shell()).batches(root.queen());
        if (messages.isEmpty() && batches.isEmpty()) {
            throw CommandFailed.nothing("nothing to acknowledge and nothing to push; use --ack, --push or --push-file");
        }
        int[] finished = {0};
        List<Stored> stored = root.queen().transaction(tx -> {
            for (Batch<Json> batch : batches) {
                for (Delivery<Json> each : batch) {
                    tx.ack(each);
                    finished[0]++;
                }
            }
            messages.forEach(each -> tx.push(each.queue(), each.message()));
        });
        root.output().done("finished " + finished[0] + ", pushed " + stored.size(),
                Map.of("finished", finished[0], "pushed",
                        stored.stream().map(
                                each -> Map.of("transactionId", each.transactionId(), "messageId", each.messageId()))
                                .toList()));
    }

    private List<Push> messages() {
        List<Push> messages = new ArrayList<>();
        pushes.forEach(each -> messages.add(parse(each)));
        if (pushFile != null) {
            try (PayloadReader reader = pushFile.equals("-")
                    ? new PayloadReader(root.shell().in(), "standard input", false)
                    : new PayloadReader(PushCommand.openFile(pushFile), pushFile, false)) {
                for (String line = reader.next(); line != null; line = reader.next()) {
                    messages.add(read(line, reader.place()));
                }
            }
        }
        return messages;
    }

    /** The first '=' ends the partition. A partition with '=' in its name needs --push-file. */
    private static Push parse(String text) {
        int equals = text.indexOf('=');
        if (equals <= 0) {
            throw CommandFailed.byUser("--push must look like QUEUE/PARTITION=JSON, not like " + text);
        }
        String[] target = text.substring(0, equals).split("/", 2);
        String payload = text.substring(equals + 1);
        String problem = PayloadReader.problem(payload);
        if (problem != null) {
            throw CommandFailed.byUser("the payload of --push " + target[0] + " is not JSON: " + problem);
        }
        return new Push(target[0],
                new Message<>(new Json(payload), target.length == 1 ? null : target[1], null, null, Map.of()));
    }

    private static Push read(String line, String place) {
        try {
            JsonNode node = ExactJson.read(line);
            if (!node.path("queue").isTextual() || !node.has("payload")) {
                throw CommandFailed.byUser(place + " has no queue or no payload");
            }
            Map<String, String> headers = new LinkedHashMap<>();
            node.path("headers").forEachEntry((name, value) -> headers.put(name, value.asText()));
            return new Push(node.get("queue").asText(), new Message<>(new Json(node.get("payload").toString()),
                    node.path("partition").asText(null), node.path("transactionId").asText(null), null, headers));
        } catch (JsonProcessingException e) {
            throw CommandFailed.byUser(place + " is not JSON: " + e.getOriginalMessage());
        }
    }
}
