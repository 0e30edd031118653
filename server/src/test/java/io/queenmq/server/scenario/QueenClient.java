package io.queenmq.server.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.queenmq.testkit.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/** An HTTP client of a server. Safe from any thread. */
final class QueenClient {
    private static final HttpClient CLIENT = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final String url;
    private final String token;
    private final String address;

    QueenClient(String url) {
        this(url, null, null);
    }

    private QueenClient(String url, String token, String address) {
        this.url = url;
        this.token = token;
        this.address = address;
    }

    /** Returns this client with a token. */
    QueenClient with(String token) {
        return new QueenClient(url, token, address);
    }

    /** Returns a client at another address, as a proxy forwards its requests. */
    QueenClient from(String address) {
        return new QueenClient(url, token, address);
    }

    Answer configure(String queue, String options) {
        return post("/api/v1/configure", "{\"queue\":\"" + queue + "\",\"options\":" + options + "}");
    }

    /** Pushes one message for each transactionId, in one request. */
    Answer push(String queue, String partition, String... transactionIds) {
        return post("/api/v1/push", items(queue, partition, transactionIds));
    }

    CompletableFuture<Answer> pushLater(String queue, String partition, String... transactionIds) {
        return postLater("/api/v1/push", items(queue, partition, transactionIds));
    }

    /** @param parameters of the query, such as {@code batch=10} */
    Answer pop(String queue, String... parameters) {
        return get(queuePath(queue) + query(parameters));
    }

    CompletableFuture<Answer> popLater(String queue, String... parameters) {
        return getLater(queuePath(queue) + query(parameters));
    }

    Answer popPartition(String queue, String partition, String... parameters) {
        return get(partitionPath(queue, partition) + query(parameters));
    }

    CompletableFuture<Answer> popPartitionLater(String queue, String partition, String... parameters) {
        return getLater(partitionPath(queue, partition) + query(parameters));
    }

    /** Acknowledges a popped message with its lease and group. */
    JsonNode ack(JsonNode message, String status) {
        return post("/api/v1/ack", acknowledgment(message, status).toString()).list().getFirst();
    }

    /** Acknowledges all messages with the same status. */
    Answer ackAll(Answer popped, String status) {
        return ackBatch(group(popped),
                popped.messages().stream().map(message -> acknowledgment(message, status)).toArray(JsonNode[]::new));
    }

    /** Acknowledges each message with its status, in the order of the messages. */
    Answer ackEach(Answer popped, String... statuses) {
        List<JsonNode> messages = popped.messages();
        JsonNode[] items = new JsonNode[statuses.length];
        for (int i = 0; i < items.length; i++) {
            items[i] = acknowledgment(messages.get(i), statuses[i]);
        }
        return ackBatch(group(popped), items);
    }

    Answer ackBatch(String group, JsonNode... items) {
        ObjectNode body = JsonNodeFactory.instance.objectNode().put("consumerGroup", group);
        body.putArray("acknowledgments").addAll(List.of(items));
        return post("/api/v1/ack/batch", body.toString());
    }

    /** Returns the acknowledgment of a popped message, with its lease and group. */
    static ObjectNode acknowledgment(JsonNode message, String status) {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        body.set("transactionId", message.get("transactionId"));
        body.set("partitionId", message.get("partitionId"));
        body.set("leaseId", message.get("leaseId"));
        body.set("consumerGroup", message.get("consumerGroup"));
        return body.put("status", status);
    }

    Answer transaction(String body) {
        return post("/api/v1/transaction", body);
    }

    Answer extend(String leaseId, String body) {
        return post("/api/v1/lease/" + leaseId + "/extend", body);
    }

    Answer get(String path) {
        return send(request(path).GET());
    }

    CompletableFuture<Answer> getLater(String path) {
        return sendLater(request(path).GET());
    }

    Answer delete(String path) {
        return send(request(path).DELETE());
    }

    Answer post(String path, String body) {
        return send(request(path).POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    CompletableFuture<Answer> postLater(String path, String body) {
        return sendLater(request(path).POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    static String items(String queue, String partition, String... transactionIds) {
        return Arrays.stream(transactionIds).map(
                id -> "{\"queue\":\"%s\",\"partition\":\"%s\",\"transactionId\":\"%s\",\"payload\":{\"text\":\"%s\"}}"
                        .formatted(queue, partition, id, id))
                .collect(Collectors.joining(",", "{\"items\":[", "]}"));
    }

    private static String group(Answer popped) {
        return popped.json().get("consumerGroup").asText();
    }

    private static String queuePath(String queue) {
        return "/api/v1/pop/queue/" + encode(queue);
    }

    private static String partitionPath(String queue, String partition) {
        return queuePath(queue) + "/partition/" + encode(partition);
    }

    private static String query(String... parameters) {
        return parameters.length == 0 ? "" : "?" + String.join("&", parameters);
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path)).timeout(Await.PATIENCE)
                .header("Content-Type", "application/json");
        if (address != null) {
            request.header("X-Forwarded-For", address);
        }
        return token == null ? request : request.header("Authorization", "Bearer " + token);
    }

    private static Answer send(HttpRequest.Builder request) {
        try {
            return Answer.of(CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static CompletableFuture<Answer> sendLater(HttpRequest.Builder request) {
        return CLIENT.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString()).thenApply(Answer::of);
    }
}
