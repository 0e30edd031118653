package io.queenmq.system;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** A reverse proxy that makes a correct server violate one guarantee, every few requests. For tests of the checks only. */
final class BrokenProxy implements AutoCloseable {
    /** The violated guarantee. */
    enum Defect {
        LOSS,
        REORDER,
        DOUBLE_LEASE,
        TORN_TRANSACTION,
        PHANTOM
    }

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int EVERY = 20;
    private static final long PHANTOM_MESSAGE = 2_000_000;

    private final HttpServer server;
    private final HttpClient client = HttpClient.newHttpClient();
    private final URI target;
    private final Defect defect;
    private final AtomicInteger requests = new AtomicInteger();
    /** A response of a pop whose messages are not acknowledged yet. */
    private record Leased(String place, ObjectNode response) {}

    private final Map<String, Leased> unfinished = new ConcurrentHashMap<>();

    BrokenProxy(URI target, Defect defect) {
        this.target = target;
        this.defect = defect;
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::handle);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().toString();
            byte[] body = exchange.getRequestBody().readAllBytes();
            // The audit at the end of a run sees the truth.
            boolean isTurn = requests.incrementAndGet() % EVERY == 0 && !path.contains("verify-audit");
            if (isTurn && path.equals("/api/v1/push") && defect == Defect.LOSS) {
                respond(exchange, 201, accepted(JSON.readTree(body)).toString().getBytes(UTF_8));
                return;
            }
            String text = new String(body, UTF_8);
            unfinished.keySet().removeIf(text::contains);
            ObjectNode repeated = defect == Defect.DOUBLE_LEASE ? leasedAgain(place(path)) : null;
            if (repeated != null) {
                respond(exchange, 200, repeated.toString().getBytes(UTF_8));
                return;
            }
            if (path.equals("/api/v1/transaction") && defect == Defect.TORN_TRANSACTION) {
                ObjectNode transaction = (ObjectNode) JSON.readTree(body);
                dropLastPush(transaction);
                body = transaction.toString().getBytes(UTF_8);
            }
            HttpResponse<byte[]> response = forward(exchange, body);
            byte[] answer = response.body();
            if (path.startsWith("/api/v1/pop/") && response.statusCode() == 200) {
                answer = change(path, (ObjectNode) JSON.readTree(answer), isTurn).toString().getBytes(UTF_8);
            }
            respond(exchange, response.statusCode(), answer);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns the queue and the group of a pop, without the other parameters. */
    private static String place(String path) {
        return path.replaceAll("&.*", "");
    }

    /** Returns the response of an earlier pop with another lease; null if all messages of earlier pops are acknowledged. */
    private ObjectNode leasedAgain(String place) {
        for (Map.Entry<String, Leased> each : unfinished.entrySet()) {
            if (each.getValue().place.equals(place) && unfinished.remove(each.getKey()) != null) {
                String lease = UUID.randomUUID().toString();
                ObjectNode again = each.getValue().response.put("leaseId", lease);
                again.path("messages").forEach(message -> ((ObjectNode) message).put("leaseId", lease));
                return again;
            }
        }
        return null;
    }

    private HttpResponse<byte[]> forward(HttpExchange exchange, byte[] body) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(target.resolve(exchange.getRequestURI()));
        request.method(exchange.getRequestMethod(),
                body.length == 0 ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofByteArray(body));
        return client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    }

    private static ArrayNode accepted(JsonNode push) {
        ArrayNode results = JSON.createArrayNode();
        push.path("items").forEach(_ -> results.addObject().put("status", "queued"));
        return results;
    }

    private static void dropLastPush(ObjectNode transaction) {
        for (JsonNode operation : transaction.path("operations")) {
            if (operation.path("type").asText().equals("push") && operation.path("items").size() > 1) {
                ArrayNode items = (ArrayNode) operation.path("items");
                items.remove(items.size() - 1);
            }
        }
    }

    private ObjectNode change(String path, ObjectNode answer, boolean isTurn) {
        ArrayNode messages = (ArrayNode) answer.path("messages");
        if (defect == Defect.DOUBLE_LEASE && !path.contains("autoAck")) {
            unfinished.put(answer.path("leaseId").asText(), new Leased(place(path), answer.deepCopy()));
        }
        if (isTurn && defect == Defect.PHANTOM) {
            ((ObjectNode) messages.get(0).path("data")).put("m", PHANTOM_MESSAGE + requests.get());
        }
        if (isTurn && defect == Defect.REORDER && messages.size() > 1) {
            JsonNode first = messages.get(0);
            messages.set(0, messages.get(messages.size() - 1));
            messages.set(messages.size() - 1, first);
        }
        return answer;
    }

    private static void respond(HttpExchange exchange, int status, byte[] body) throws IOException {
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        if (body.length > 0) {
            exchange.getResponseBody().write(body);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        client.close();
    }
}
