package io.queenmq.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The JSON schemas of the options of queues. They are a copy of those in the OpenAPI document of the server of the same
 * release, so that help does not need a server.
 */
final class OptionSchemas {
    static final String RESOURCE = "/queen/queue-options.json";

    private static final JsonNode SCHEMAS = read();

    private OptionSchemas() {}

    /** @return a missing node if this release does not have the option */
    static JsonNode of(String option) {
        return SCHEMAS.path(option);
    }

    static Iterable<Map.Entry<String, JsonNode>> all() {
        return SCHEMAS.properties();
    }

    /** Returns the range and the default in words, such as {@code 0 to 604800 s, 0: 1 min, default 300}. */
    static String rangeOf(JsonNode schema) {
        if (schema.path("type").asText().equals("boolean")) {
            return "true or false, default " + schema.get("default").asText();
        }
        String unit = schema.has("x-unit") ? " " + schema.get("x-unit").asText() : "";
        String meanings = schema.path("x-meanings").properties().stream()
                .map(each -> ", " + each.getKey() + ": " + each.getValue().asText()).collect(Collectors.joining());
        return schema.get("minimum").asText() + " to " + schema.get("maximum").asText() + unit + meanings + ", default "
                + schema.get("default").asText();
    }

    private static JsonNode read() {
        try (InputStream in = OptionSchemas.class.getResourceAsStream(RESOURCE)) {
            return new ObjectMapper().readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException(RESOURCE, e);
        }
    }
}
