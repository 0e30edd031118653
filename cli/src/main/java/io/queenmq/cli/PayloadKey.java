package io.queenmq.cli;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/** A field of payloads that contains a property of their message, such as its partition. */
final class PayloadKey {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final String path;
    private final JsonPointer pointer;

    /** @param path name of the field, or names separated by dots */
    PayloadKey(String path) {
        this.path = path;
        this.pointer = JsonPointer.compile("/" + path.replace("~", "~0").replace("/", "~1").replace('.', '/'));
    }

    /** @param place position of the payload in its source, for errors */
    String of(String payload, String place) {
        try {
            JsonNode value = JSON.readTree(payload).at(pointer);
            if (!value.isValueNode() || value.isNull() || value.asText().isEmpty()) {
                throw CommandFailed.byUser(place + " has no field '" + path + "' with a text or a number");
            }
            return value.asText();
        } catch (JsonProcessingException e) {
            throw CommandFailed.byUser(place + " is not JSON: " + e.getOriginalMessage());
        }
    }
}
