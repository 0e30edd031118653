package io.queenmq.server.http.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Converts the short form of value descriptions to JSON schemas. A text such as {@code integer?: number of messages} describes a
 * plain value: {@code ?} allows null, and the type {@code options} means the options of a queue. {@code {"name": …}} describes an
 * object, in which {@code *} after a name marks a required field. {@code [ … ]} describes a list of such values.
 */
final class ApiSchema {
    private static final Pattern PLAIN = Pattern
            .compile("(string|integer|number|boolean|object|array|uuid|time|options|any)(\\?)?: (.+)", Pattern.DOTALL);
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private ApiSchema() {}

    /** Returns true if the text describes a value. */
    static boolean isPlain(String text) {
        return PLAIN.matcher(text).matches();
    }

    static ObjectNode of(JsonNode form) {
        if (form.isTextual()) {
            return plain(form.asText());
        }
        if (form.isArray()) {
            ObjectNode schema = NODES.objectNode().put("type", "array");
            schema.set("items", of(form.get(0)));
            return schema;
        }
        ObjectNode schema = NODES.objectNode().put("type", "object");
        ArrayNode required = NODES.arrayNode();
        ObjectNode properties = schema.putObject("properties");
        for (Map.Entry<String, JsonNode> each : form.properties()) {
            boolean isRequired = each.getKey().endsWith("*");
            String name = isRequired ? each.getKey().substring(0, each.getKey().length() - 1) : each.getKey();
            properties.set(name, of(each.getValue()));
            if (isRequired) {
                required.add(name);
            }
        }
        if (!required.isEmpty()) {
            schema.set("required", required);
        }
        return schema;
    }

    /** @throws IllegalArgumentException if the text does not begin with a type */
    private static ObjectNode plain(String text) {
        Matcher parts = PLAIN.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException("'" + text + "' does not begin with a type and a colon");
        }
        ObjectNode schema = NODES.objectNode();
        boolean isNullable = parts.group(2) != null;
        switch (parts.group(1)) {
            case "any" -> {
            }
            case "options" -> schema.put("$ref", "#/components/schemas/" + QueueOptionsSchema.NAME);
            case "uuid" -> type(schema, "string", isNullable).put("format", "uuid");
            case "time" -> type(schema, "string", isNullable).put("format", "date-time");
            default -> type(schema, parts.group(1), isNullable);
        }
        return schema.put("description", parts.group(3));
    }

    private static ObjectNode type(ObjectNode schema, String type, boolean isNullable) {
        if (isNullable) {
            schema.putArray("type").add(type).add("null");
            return schema;
        }
        return schema.put("type", type);
    }
}
