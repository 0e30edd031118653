package io.queenmq.server.http.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.queenmq.server.http.access.Access;
import io.queenmq.server.http.access.Address;
import java.util.List;
import java.util.Map;

/** Generates the OpenAPI document. */
final class OpenApiDocument {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final String TOKEN = "token";

    private final ApiDescriptions descriptions;

    OpenApiDocument(ApiDescriptions descriptions) {
        this.descriptions = descriptions;
    }

    String of(List<Address> addresses, String version) {
        ObjectNode document = NODES.objectNode().put("openapi", "3.1.0");
        document.putObject("info").put("title", "Queen").put("version", version).put("description",
                "A partitioned FIFO message queue on PostgreSQL.");
        ObjectNode paths = document.putObject("paths");
        for (Address address : addresses) {
            ObjectNode path = paths.withObjectProperty(template(address.path()));
            path.set(address.method().name().toLowerCase(), operation(address));
        }
        ObjectNode components = document.putObject("components");
        components.putObject("securitySchemes").putObject(TOKEN).put("type", "http").put("scheme", "bearer")
                .put("bearerFormat", "JWT or API key (qk_…)");
        components.putObject("schemas").set(QueueOptionsSchema.NAME, QueueOptionsSchema.schema());
        ObjectNode error = components.putObject("responses").putObject("error");
        error.put("description", "An error.");
        content(error,
                NODES.objectNode().put("error", "string: the error message").put("outcome",
                        "string?: only in responses 500 and 503; none: the request had no effect; "
                                + "unknown: the request may have taken effect"));
        return document.toString();
    }

    private ObjectNode operation(Address address) {
        String key = address.toString();
        JsonNode about = descriptions.byAddress().getOrDefault(key, MissingNode.getInstance());
        ObjectNode operation = NODES.objectNode().put("summary", about.path("summary").asText());
        if (about.has("description")) {
            operation.set("description", about.get("description"));
        }
        operation.putArray("tags").add(descriptions.tags().getOrDefault(key, "other"));
        operation.put("x-access", address.access().inWords());
        ObjectNode reach = operation.putObject("x-right").put("scope", address.reach().scope().inWords());
        address.reach().rights().forEach(right -> reach.withArrayProperty("rights").add(right.word()));
        if (address.access() != Access.PUBLIC) {
            operation.putArray("security").addObject().putArray(TOKEN);
        }
        parameters(operation, address, about.path("parameters"));
        if (about.has("body")) {
            content(operation.putObject("requestBody"), about.get("body"));
        }
        ObjectNode responses = operation.putObject("responses");
        for (Map.Entry<String, JsonNode> answer : about.path("answers").properties()) {
            ObjectNode response = responses.putObject(answer.getKey());
            if (answer.getValue().isTextual() && !ApiSchema.isPlain(answer.getValue().asText())) {
                response.set("description", answer.getValue());
            } else {
                response.put("description", "Success.");
                content(response, answer.getValue());
            }
        }
        responses.putObject("default").put("$ref", "#/components/responses/error");
        return operation;
    }

    private static void parameters(ObjectNode operation, Address address, JsonNode about) {
        if (about.isEmpty()) {
            return;
        }
        var parameters = operation.putArray("parameters");
        for (Map.Entry<String, JsonNode> each : about.properties()) {
            boolean isInPath = address.path().contains(":" + each.getKey());
            ObjectNode schema = ApiSchema.of(each.getValue());
            ObjectNode parameter = parameters.addObject().put("name", each.getKey());
            parameter.put("in", isInPath ? "path" : "query").put("required", isInPath);
            parameter.set("description", schema.remove("description"));
            parameter.set("schema", schema);
        }
    }

    private static void content(ObjectNode to, JsonNode about) {
        to.putObject("content").putObject("application/json").set("schema", ApiSchema.of(about));
    }

    /** Converts {@code /a/:b/c} to {@code /a/{b}/c}. */
    static String template(String path) {
        return path.replaceAll(":([A-Za-z]+)", "{$1}");
    }
}
