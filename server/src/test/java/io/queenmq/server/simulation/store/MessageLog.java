package io.queenmq.server.simulation.store;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Every message that was ever stored, also when it or its lane is long gone: for those who judge. */
final class MessageLog {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Map<UUID, List<StoredMessage>> byLane = new LinkedHashMap<>();

    void stored(Lane lane, Segment segment) {
        List<StoredMessage> messages = byLane.computeIfAbsent(lane.id(), _ -> new ArrayList<>());
        long offset = segment.base();
        for (String line : segment.lines()) {
            messages.add(new StoredMessage(lane.id(), lane.queue().name(), lane.name(), offset,
                    UUID.fromString(field(line, "id")), field(line, "transactionId"), segment.createdAt(),
                    segment.acceptedAt(offset)));
            offset++;
        }
    }

    void copyFrom(MessageLog source) {
        byLane.clear();
        source.byLane.forEach((lane, messages) -> byLane.put(lane, new ArrayList<>(messages)));
    }

    /** By lane, in the order of their offsets. */
    Map<UUID, List<StoredMessage>> byLane() {
        return byLane;
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
