package io.queenmq.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.queenmq.client.Batch;
import io.queenmq.client.Json;
import io.queenmq.client.Queen;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Deliveries from the output of {@code pop}, grouped by lease. */
final class DeliveryFile {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> NEEDED = List.of("transactionId", "partitionId", "leaseId");

    private final Map<String, List<Json>> byLease = new LinkedHashMap<>();

    private DeliveryFile() {}

    /** @param file a path, or - for the standard input */
    static DeliveryFile read(String file, Shell shell) {
        DeliveryFile deliveries = new DeliveryFile();
        try (PayloadReader reader = file.equals("-")
                ? new PayloadReader(shell.in(), "standard input", false)
                : new PayloadReader(PushCommand.openFile(file), file, false)) {
            for (String text = reader.next(); text != null; text = reader.next()) {
                JsonNode node = parse(text);
                // The output of -o json is one array.
                if (node.isArray()) {
                    node.forEach(each -> deliveries.add(each, reader.place()));
                } else {
                    deliveries.add(node, reader.place());
                }
            }
        }
        return deliveries;
    }

    static DeliveryFile of(List<String> transactionIds, String partitionId, String leaseId, @Nullable String group) {
        DeliveryFile deliveries = new DeliveryFile();
        for (String each : transactionIds) {
            ObjectNode node = JSON.createObjectNode().put("transactionId", each).put("partitionId", partitionId)
                    .put("leaseId", leaseId).put("consumerGroup", group);
            deliveries.add(node, "the message");
        }
        return deliveries;
    }

    boolean isEmpty() {
        return byLease.isEmpty();
    }

    List<Batch<Json>> batches(Queen queen) {
        List<Batch<Json>> batches = new ArrayList<>();
        byLease.values().forEach(each -> batches.add(queen.resume(each)));
        return batches;
    }

    private void add(JsonNode delivery, String place) {
        for (String field : NEEDED) {
            if (delivery.path(field).asText("").isEmpty()) {
                throw CommandFailed.byUser(place + " has no " + field + "; use the output of queen pop -o ndjson");
            }
        }
        byLease.computeIfAbsent(delivery.get("leaseId").asText(), lease -> new ArrayList<>())
                .add(new Json(delivery.toString()));
    }

    private static JsonNode parse(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw CommandFailed.byUser("not JSON: " + e.getOriginalMessage());
        }
    }
}
