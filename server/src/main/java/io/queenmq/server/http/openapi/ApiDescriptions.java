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
 * The descriptions of the routes in the files of {@code resources/queen/api}, one file for each group of routes. An entry has a
 * summary, an optional description, the parameters, the body and the responses by status, with values in the short form of
 * {@link ApiSchema}. A test reports missing entries.
 *
 * @param byAddress descriptions by address, such as {@code POST /api/v1/push}
 * @param tags groups by address
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
