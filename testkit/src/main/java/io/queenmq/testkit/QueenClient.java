package io.queenmq.testkit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A client of the HTTP API that sends the requests of the published clients and returns every response without
 * interpretation.
 */
public final class QueenClient implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration ANSWER_MAX = Duration.ofMinutes(3);

    private final String url;
    private final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofMinutes(1)).build();

    /**
     * Creates a client.
     *
     * @param url such as {@code http://localhost:6632}
     */
    public QueenClient(String url) {
        this.url = url;
    }

    /**
     * Sends a GET request.
     *
     * @throws UncheckedIOException without a response
     */
    public Answer get(String path) {
        return send(request(path).GET());
    }

    /**
     * Sends a POST request.
     *
     * @param body any value that Jackson can write; null for no body
     */
    public Answer post(String path, @Nullable Object body) {
        return send(request(path).POST(body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(json(body))));
    }

    public Answer delete(String path) {
        return send(request(path).DELETE());
    }

    public Answer configure(String queue, Map<String, ?> options) {
        return post("/api/v1/configure", Map.of("queue", queue, "options", options));
    }

    /** Pushes messages whose payload is their transactionId. */
    public Answer push(String queue, String partition, List<String> transactionIds) {
        return post("/api/v1/push", Map.of("items", items(queue, partition, transactionIds)));
    }

    public static List<Map<String, String>> items(String queue, String partition, List<String> transactionIds) {
        return transactionIds.stream()
                .map(id -> Map.of("queue", queue, "partition", partition, "transactionId", id, "payload", id)).toList();
    }

    /**
     * Sends a pop request.
     *
     * @param partition null for any partition of the queue
     * @param parameters additional parameters, such as {@code batch=5&autoAck=true}
     */
    public Answer pop(String queue, @Nullable String partition, @Nullable String group, String parameters) {
        String path = partition == null ? "" : "/partition/" + encode(partition);
        String consumer = group == null ? "" : "&consumerGroup=" + encode(group);
        return get("/api/v1/pop/queue/" + encode(queue) + path + "?" + parameters + consumer);
    }

    public Answer ack(@Nullable String group, List<? extends Map<String, ?>> acknowledgments) {
        return post("/api/v1/ack/batch",
                group == null
                        ? Map.of("acknowledgments", acknowledgments)
                        : Map.of("acknowledgments", acknowledgments, "consumerGroup", group));
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(url + path)).timeout(ANSWER_MAX).header("Content-Type",
                "application/json");
    }

    private Answer send(HttpRequest.Builder builder) {
        var request = builder.build();
        try {
            var response = http.send(request, BodyHandlers.ofString());
            return new Answer(response.statusCode(), JSON.readTree(response.body()));
        } catch (IOException e) {
            throw new UncheckedIOException(request.method() + " " + request.uri() + ": " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for an answer", e);
        }
    }

    private static String json(Object value) {
        try {
            return JSON.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** Aborts requests in flight. */
    @Override
    public void close() {
        http.shutdownNow();
    }

    /**
     * A response.
     *
     * @param body a missing node if the response has no body
     */
    public record Answer(int status, JsonNode body) {
        public boolean isOk() {
            return status / 100 == 2;
        }

        /** Returns the messages of a pop; empty if the pop returned none. */
        public List<Message> messages() {
            List<Message> messages = new ArrayList<>();
            for (JsonNode each : body.path("messages")) {
                messages.add(new Message(each.path("id").asText(), each.path("transactionId").asText(),
                        each.path("partition").asText(), each.path("partitionId").asText(),
                        each.path("leaseId").asText(), each.path("retryCount").asInt()));
            }
            return messages;
        }
    }

    /** A delivered message. Its payload is its transactionId. */
    public record Message(String id, String transactionId, String partition, String partitionId, String leaseId,
            int retryCount) {
        public Map<String, String> ack(String status) {
            return Map.of("transactionId", transactionId, "partitionId", partitionId, "leaseId", leaseId, "status",
                    status);
        }
    }
}
