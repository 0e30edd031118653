package io.queenmq.server.http.openapi;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.queenmq.engine.queue.OptionRange;
import io.queenmq.engine.queue.QueueOption;

/**
 * The JSON schema of the options of a queue. Besides the standard fields, a property has {@code x-unit}, the unit of
 * its numbers, and {@code x-meanings}, the meanings of numbers that do not count units. The dashboard generates its form
 * from this schema, and the command line contains a copy of it.
 */
final class QueueOptionsSchema {
    static final String NAME = "QueueOptions";

    private QueueOptionsSchema() {}

    static ObjectNode schema() {
        ObjectNode schema = JsonNodeFactory.instance.objectNode().put("type", "object");
        ObjectNode properties = schema.putObject("properties");
        for (QueueOption option : QueueOption.values()) {
            addTo(properties.putObject(option.key()), option);
        }
        return schema;
    }

    private static void addTo(ObjectNode property, QueueOption option) {
        OptionRange range = option.range();
        property.put("title", option.label()).put("description", option.description());
        if (option.isNullable()) {
            property.putArray("type").add(range.type().jsonType()).add("null");
        } else {
            property.put("type", range.type().jsonType());
        }
        property.putPOJO("default", option.defaultValue());
        if (range.type() != OptionRange.Type.BOOLEAN) {
            property.put("minimum", range.min()).put("maximum", range.max());
        }
        if (range.unit() != OptionRange.Unit.NONE) {
            property.put("x-unit", range.unit().symbol());
        }
        range.meanings()
                .forEach((value, meaning) -> property.withObjectProperty("x-meanings").put(value.toString(), meaning));
        if (option.isDeprecated()) {
            property.put("deprecated", true);
        }
    }
}
