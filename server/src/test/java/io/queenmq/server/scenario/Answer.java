package io.queenmq.server.scenario;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;

/** The response of a server to one request. */
record Answer(int status, String body, HttpHeaders headers) {
    private static final ObjectMapper JSON = new ObjectMapper();

    static Answer of(HttpResponse<String> response) {
        return new Answer(response.statusCode(), response.body(), response.headers());
    }

    JsonNode json() {
        return parse(body);
    }

    /** Returns the elements of a JSON array. */
    List<JsonNode> list() {
        return elements(json());
    }

    /** Returns the messages of a pop; none if it was empty. */
    List<JsonNode> messages() {
        return status == 204 ? List.of() : elements(json().get("messages"));
    }

    /** Returns the only message of a pop. */
    JsonNode message() {
        if (messages().size() != 1) {
            throw new AssertionError("expected one message: " + this);
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

    /** Returns the field of this name of each element of a JSON array. */
    List<String> each(String field) {
        return list().stream().map(element -> element.path(field).asText()).toList();
    }

    /** Returns the names of the fields of a JSON object. */
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
