package io.queenmq.server.scenario;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;

/** What the server said to one request. */
record Answer(int status, String body, HttpHeaders headers) {
    private static final ObjectMapper JSON = new ObjectMapper();

    static Answer of(HttpResponse<String> response) {
        return new Answer(response.statusCode(), response.body(), response.headers());
    }

    JsonNode json() {
        return parse(body);
    }

    /** The elements of an array. */
    List<JsonNode> list() {
        return elements(json());
    }

    /** The messages of a pop, none when there was nothing. */
    List<JsonNode> messages() {
        return status == 204 ? List.of() : elements(json().get("messages"));
    }

    /** The one message of a pop. */
    JsonNode message() {
        if (messages().size() != 1) {
            throw new AssertionError("one message was expected: " + this);
        }
        return messages().getFirst();
    }

    List<String> transactionIds() {
        return messages().stream().map(message -> message.get("transactionId").asText()).toList();
    }

    String leaseId() {
        return json().get("leaseId").asText();
    }

    boolean isEmpty() {
        return status == 204;
    }

    /** What each element of an array says under this name. */
    List<String> each(String field) {
        return list().stream().map(element -> element.path(field).asText()).toList();
    }

    /** The names of an object's fields. */
    static List<String> fieldsOf(JsonNode object) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }

    static JsonNode parse(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new AssertionError("not JSON: " + text, e);
        }
    }

    private static List<JsonNode> elements(JsonNode array) {
        List<JsonNode> elements = new ArrayList<>();
        array.forEach(elements::add);
        return elements;
    }
}
