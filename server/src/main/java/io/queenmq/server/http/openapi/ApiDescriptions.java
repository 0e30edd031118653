package io.queenmq.server.http.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What is written about the routes: the files of {@code resources/queen/api}, one for each group of routes. Under each
 * address they hold a summary, maybe a description, the parameters, the body and the answers by status, with values in
 * the short form of {@link ApiSchema}. A test says what is missing.
 *
 * @param byAddress under {@code POST /api/v1/push} what is said about it
 * @param tags under the same the group it belongs to
 */
record ApiDescriptions(Map<String, JsonNode> byAddress, Map<String, String> tags) {
    private static final List<String> GROUPS = List.of("messages", "streams", "queues", "groups", "repair", "numbers",
            "keys", "system");
    private static final ObjectMapper JSON = new ObjectMapper();

    static ApiDescriptions load() {
        Map<String, JsonNode> byAddress = new LinkedHashMap<>();
        Map<String, String> tags = new LinkedHashMap<>();
        for (String group : GROUPS) {
            for (Map.Entry<String, JsonNode> each : read("/queen/api/" + group + ".json").properties()) {
                byAddress.put(each.getKey(), each.getValue());
                tags.put(each.getKey(), group);
            }
        }
        return new ApiDescriptions(byAddress, tags);
    }

    private static JsonNode read(String file) {
        try (InputStream in = ApiDescriptions.class.getResourceAsStream(file)) {
            return JSON.readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException(file, e);
        }
    }
}
