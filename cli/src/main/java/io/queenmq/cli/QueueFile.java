package io.queenmq.cli;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.queenmq.client.operator.QueueOptions;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Wanted queues, read from a YAML or JSON file. The output of {@code queue describe -o yaml} is such a file, too. */
final class QueueFile {
    private static final YAMLMapper YAML = new YAMLMapper();
    private static final Set<String> TAKEN = Set.of("name", "namespace", "task", "options");
    /** Fields of describe that are ignored. */
    private static final Set<String> PASSED_OVER = Set.of("id", "createdAt", "paused", "pausedGroups", "messages");

    private final String file;
    private final List<Wanted> queues = new ArrayList<>();
    private final Set<String> names = new HashSet<>();

    private QueueFile(String file) {
        this.file = file;
    }

    /**
     * A wanted queue.
     *
     * @param namespace null to keep the current value, like task
     */
    record Wanted(String name, @Nullable String namespace, @Nullable String task, QueueOptions options) {}

    /** @param file a path, or - for the standard input */
    static List<Wanted> read(String file, Shell shell) {
        QueueFile reading = new QueueFile(file.equals("-") ? "standard input" : file);
        try (InputStream in = file.equals("-") ? shell.in() : PushCommand.openFile(file);
                MappingIterator<JsonNode> documents = YAML.readerFor(JsonNode.class).readValues(in)) {
            while (documents.hasNextValue()) {
                JsonNode document = documents.nextValue();
                if (document.has("queues")) {
                    document.get("queues").forEach(reading::add);
                } else if (!document.isMissingNode() && !document.isNull()) {
                    reading.add(document);
                }
            }
        } catch (JacksonException e) {
            throw CommandFailed.byUser(reading.file + " is not YAML: line "
                    + (e.getLocation() == null ? "?" : e.getLocation().getLineNr()) + ": " + e.getOriginalMessage());
        } catch (IOException e) {
            throw CommandFailed.byUser("cannot read " + reading.file + ": " + e.getMessage());
        }
        return reading.queues;
    }

    private void add(JsonNode node) {
        String name = node.path("name").asText("");
        if (name.isEmpty()) {
            throw CommandFailed.byUser(file + ": a queue has no name");
        }
        if (!names.add(name)) {
            throw CommandFailed.byUser(file + ": the queue " + name + " occurs twice");
        }
        node.fieldNames().forEachRemaining(field -> {
            if (!TAKEN.contains(field) && !PASSED_OVER.contains(field)) {
                throw CommandFailed.byUser(file + ": the queue " + name + " has an unknown field '" + field + "'");
            }
        });
        queues.add(new Wanted(name, node.path("namespace").asText(null), node.path("task").asText(null),
                options(name, node.path("options"))));
    }

    private QueueOptions options(String queue, JsonNode node) {
        QueueOptions options = QueueOptions.of();
        for (var each : node.properties()) {
            JsonNode value = each.getValue();
            if (!value.isNumber() && !value.isBoolean()) {
                throw CommandFailed
                        .byUser(file + ": " + each.getKey() + " of " + queue + " must be a number, true or false");
            }
            options = options.with(OptionValues.requireName(each.getKey()),
                    OptionValues.parse(value.asText(), each.getKey() + " of " + queue));
        }
        return options;
    }
}
