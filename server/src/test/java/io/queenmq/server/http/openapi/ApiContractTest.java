package io.queenmq.server.http.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.queenmq.server.http.TestApi;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Compares the routes, parameters and fields of the served OpenAPI document with the committed list, so that the HTTP
 * contract cannot change unnoticed. Descriptions are not part of the contract.
 */
class ApiContractTest {
    private static final Path CONTRACT = Path.of("src/test/resources/api-contract.txt");
    /** The contract of the document at commit 6afaee5a, before all text was rewritten. This file never changes. */
    private static final Path BASELINE = Path.of("src/test/resources/api-contract-baseline.txt");
    /** Deliberate changes of entries of the baseline. The changelog lists those that clients notice. */
    private static final Map<String, String> REPLACED = Map.of(
            "GET /api/v1/analytics/shards 200 shards[].lanes: integer|null",
            "GET /api/v1/analytics/shards 200 shards[].partitions: integer|null",
            "GET /streams/v1/queries 200 queries[].lanes: integer",
            "GET /streams/v1/queries 200 queries[].partitionCount: integer",
            "GET /api/v1/resources/queues/{queue} 200 options: object",
            "GET /api/v1/resources/queues/{queue} 200 options: #QueueOptions",
            "POST /api/v1/configure 200 options: object", "POST /api/v1/configure 200 options: #QueueOptions");
    private static final String OPTIONS = "#QueueOptions";

    private static TestApi api;
    private static JsonNode document;

    @BeforeAll
    static void read() throws Exception {
        api = new TestApi();
        document = new ObjectMapper().readTree(api.get("/openapi.json").body());
    }

    @AfterAll
    static void close() throws Exception {
        api.close();
    }

    /** To accept a deliberate change, run this test with -Dqueen.write-docs=true, which rewrites the list. */
    @Test
    void theServedDocumentHasTheCommittedContract() throws IOException {
        SortedSet<String> served = contractOf(document);
        if (Boolean.getBoolean("queen.write-docs")) {
            Files.write(CONTRACT, served);
        }

        List<String> committed = Files.readAllLines(CONTRACT);
        assertThat(committed).isSorted();
        assertThat(served).as("if the change is deliberate, run this test with -Dqueen.write-docs=true")
                .containsExactlyElementsOf(committed);
    }

    /** Paths, parameters and fields may be added, but not removed or renamed. */
    @Test
    void theServedDocumentContainsTheBaseline() throws IOException {
        SortedSet<String> served = withOptions(contractOf(document));

        assertThat(Files.readAllLines(BASELINE).stream().map(line -> REPLACED.getOrDefault(line, line)))
                .as("removed or renamed").hasSizeGreaterThan(1_400).isSubsetOf(served);
    }

    @Test
    void replacedEntriesAreInTheBaseline() throws IOException {
        assertThat(Files.readAllLines(BASELINE)).isSorted().containsAll(REPLACED.keySet());
    }

    /** Adds one line for each option to each reference to the options of a queue. */
    private static SortedSet<String> withOptions(SortedSet<String> lines) {
        SortedSet<String> all = new TreeSet<>(lines);
        List<String> options = lines.stream().filter(line -> line.startsWith(OPTIONS + " "))
                .map(line -> line.substring(OPTIONS.length() + 1)).toList();
        lines.stream().filter(line -> line.endsWith(": " + OPTIONS))
                .map(line -> line.substring(0, line.length() - OPTIONS.length() - 2))
                .forEach(field -> options.forEach(option -> all.add(field + "." + option)));
        return all;
    }

    @Test
    void theListContainsEveryKindOfEntry() throws IOException {
        assertThat(Files.readAllLines(CONTRACT)).contains("POST /api/v1/push",
                "POST /api/v1/push 201 [].transactionId: string", "POST /api/v1/push body items*[].queue*: string",
                "GET /api/v1/pop/queue/{queue} path queue*: string",
                "GET /api/v1/pop/queue/{queue} query batch: integer",
                "POST /api/v1/push 201 [].trace_id: string|null (uuid)", "POST /api/v1/push default: #error",
                "#QueueOptions leaseTime: integer");
    }

    private static SortedSet<String> contractOf(JsonNode document) {
        SortedSet<String> lines = new TreeSet<>();
        for (Map.Entry<String, JsonNode> path : document.get("paths").properties()) {
            for (Map.Entry<String, JsonNode> operation : path.getValue().properties()) {
                String name = operation.getKey().toUpperCase(Locale.ROOT) + " " + path.getKey();
                lines.add(name);
                addOperation(lines, name, operation.getValue());
            }
        }
        JsonNode components = document.get("components");
        components.get("schemas").properties()
                .forEach(schema -> addSchema(lines, "#" + schema.getKey() + " ", schema.getValue()));
        components.get("responses").properties()
                .forEach(response -> addContent(lines, "#" + response.getKey(), response.getValue()));
        return lines;
    }

    private static void addOperation(SortedSet<String> lines, String name, JsonNode operation) {
        for (JsonNode parameter : operation.path("parameters")) {
            String required = parameter.get("required").asBoolean() ? "*" : "";
            addSchema(lines,
                    name + " " + parameter.get("in").asText() + " " + parameter.get("name").asText() + required,
                    parameter.get("schema"));
        }
        if (operation.has("requestBody")) {
            addContent(lines, name + " body", operation.get("requestBody"));
        }
        operation.get("responses").properties()
                .forEach(response -> addContent(lines, name + " " + response.getKey(), response.getValue()));
    }

    private static void addContent(SortedSet<String> lines, String name, JsonNode holder) {
        if (holder.has("$ref")) {
            lines.add(name + ": " + reference(holder));
        } else if (holder.has("content")) {
            assertThat(holder.get("content").properties()).hasSize(1);
            addSchema(lines, name + " ", holder.get("content").get("application/json").get("schema"));
        } else {
            lines.add(name);
        }
    }

    /** Adds one line for each field at any depth, and one for a value without fields. */
    private static void addSchema(SortedSet<String> lines, String name, JsonNode schema) {
        if (schema.has("items")) {
            addSchema(lines, name + "[]", schema.get("items"));
            return;
        }
        if (!schema.has("properties")) {
            lines.add(name.strip() + ": " + typeOf(schema));
            return;
        }
        TreeSet<String> required = new TreeSet<>();
        schema.path("required").forEach(field -> required.add(field.asText()));
        String prefix = name.endsWith(" ") ? name : name + ".";
        for (Map.Entry<String, JsonNode> field : schema.get("properties").properties()) {
            addSchema(lines, prefix + field.getKey() + (required.contains(field.getKey()) ? "*" : ""),
                    field.getValue());
        }
    }

    private static String typeOf(JsonNode schema) {
        if (schema.has("$ref")) {
            return reference(schema);
        }
        JsonNode type = schema.path("type");
        StringBuilder text = new StringBuilder(type.isArray() ? "" : type.asText("any"));
        for (JsonNode each : type) {
            text.append(text.isEmpty() ? "" : "|").append(each.asText());
        }
        return schema.has("format") ? text + " (" + schema.get("format").asText() + ")" : text.toString();
    }

    private static String reference(JsonNode holder) {
        String target = holder.get("$ref").asText();
        return "#" + target.substring(target.lastIndexOf('/') + 1);
    }
}
