package io.queenmq.engine.simulation.store;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** All messages that were ever stored, also after their removal, for checks. */
final class MessageLog {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Map<UUID, List<StoredMessage>> byPartition = new LinkedHashMap<>();

    void stored(Partition partition, Segment segment) {
        List<StoredMessage> messages = byPartition.computeIfAbsent(partition.id(), _ -> new ArrayList<>());
        long offset = segment.base();
        for (String line : segment.lines()) {
            messages.add(new StoredMessage(partition.id(), partition.queue().name(), partition.name(), offset,
                    UUID.fromString(field(line, "id")), field(line, "transactionId"), segment.createdAt(),
                    segment.acceptedAt(offset)));
            offset++;
        }
    }

    void copyFrom(MessageLog source) {
        byPartition.clear();
        source.byPartition.forEach((partition, messages) -> byPartition.put(partition, new ArrayList<>(messages)));
    }

    /** Returns the messages by partition, in the order of their offsets. */
    Map<UUID, List<StoredMessage>> byPartition() {
        return byPartition;
    }

    static String field(String line, String name) {
        try {
            JsonNode value = JSON.readTree(line).path(name);
            return value.isNull() ? null : value.asText();
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("not a stored line: " + line, e);
        }
    }
}
