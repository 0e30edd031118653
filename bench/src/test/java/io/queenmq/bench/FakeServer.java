package io.queenmq.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** A queue in memory with the HTTP requests of the generator, and with configurable errors. */
final class FakeServer implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long PARK_MS = 50;

    private final ServerSocket socket;
    private final Map<String, Map<String, Deque<JsonNode>>> queues = new TreeMap<>();
    private final Set<String> held = ConcurrentHashMap.newKeySet();
    private final Map<String, UnaryOperator<Answer>> faults = new ConcurrentHashMap<>();
    private final Map<String, AtomicInteger> counts = new ConcurrentHashMap<>();

    FakeServer() {
        try {
            socket = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(this::accept);
    }

    String url() {
        return "http://127.0.0.1:" + socket.getLocalPort();
    }

    /** Corrupts the response with this number to requests whose path contains this word. */
    FakeServer spoil(String word, int number, UnaryOperator<Answer> fault) {
        AtomicInteger count = new AtomicInteger();
        faults.put(word, answer -> count.getAndIncrement() == number ? fault.apply(answer) : answer);
        return this;
    }

    int count(String word) {
        return counts.entrySet().stream().filter(each -> each.getKey().contains(word))
                .mapToInt(each -> each.getValue().get()).sum();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = socket.accept();
                Thread.ofVirtual().start(() -> serve(client));
            }
        } catch (IOException _) {
            // Closed.
        }
    }

    private void serve(Socket client) {
        try (client; var in = new DataInputStream(client.getInputStream())) {
            for (String first = line(in); !first.isEmpty(); first = line(in)) {
                int length = 0;
                for (String header = line(in); !header.isEmpty(); header = line(in)) {
                    if (header.startsWith("Content-Length: ")) {
                        length = Integer.parseInt(header.substring("Content-Length: ".length()));
                    }
                }
                String path = first.split(" ")[1];
                counts.computeIfAbsent(path, _ -> new AtomicInteger()).incrementAndGet();
                Answer answer = spoiled(path, answer(path, in.readNBytes(length)));
                if (answer == null) {
                    return;
                }
                client.getOutputStream().write(answer.text().getBytes(StandardCharsets.UTF_8));
            }
        } catch (IOException _) {
            // The client has hung up.
        }
    }

    private static String line(DataInputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
            line.append((char) next);
        }
        return line.toString().strip();
    }

    private Answer spoiled(String path, Answer answer) {
        Answer result = answer;
        for (var fault : faults.entrySet()) {
            // A pop that brings nothing is not worth spoiling.
            if (path.contains(fault.getKey()) && answer.status() != 204) {
                result = fault.getValue().apply(result);
            }
        }
        return result;
    }

    private Answer answer(String path, byte[] body) throws IOException {
        if (path.equals("/health")) {
            return new Answer(200, "{\"status\":\"healthy\",\"version\":\"fake\"}");
        }
        if (path.startsWith(PushRequest.PATH)) {
            return push(JSON.readTree(body).get("items"));
        }
        if (path.startsWith(AckRequest.PATH)) {
            ArrayNode results = JSON.createArrayNode();
            for (JsonNode ack : JSON.readTree(body).get("acknowledgments")) {
                held.remove(ack.get("partitionId").asText());
                results.addObject().put("success", true);
            }
            return new Answer(200, results.toString());
        }
        if (path.startsWith("/api/v1/pop/queue/")) {
            return pop(path.substring("/api/v1/pop/queue/".length()));
        }
        return new Answer(200, "{\"deleted\":true}");
    }

    private synchronized Answer push(JsonNode items) {
        ArrayNode results = JSON.createArrayNode();
        for (JsonNode item : items) {
            queues.computeIfAbsent(item.get("queue").asText(), _ -> new HashMap<>())
                    .computeIfAbsent(item.get("partition").asText(), _ -> new ArrayDeque<>()).addLast(item);
            results.addObject().put("status", "queued");
        }
        notifyAll();
        return new Answer(201, results.toString());
    }

    private synchronized Answer pop(String path) {
        String[] parts = path.split("\\?");
        String[] names = parts[0].split("/partition/");
        int batch = Integer.parseInt(parts[1].replaceAll("batch=(\\d+).*", "$1"));
        String partition = findPartition(names);
        if (partition == null && parts[1].contains("wait=true")) {
            try {
                wait(PARK_MS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            partition = findPartition(names);
        }
        if (partition == null) {
            return new Answer(204, "");
        }
        if (!parts[1].contains("autoAck=true")) {
            held.add(names[0] + "/" + partition);
        }
        return new Answer(200, take(names[0], partition, batch));
    }

    private String findPartition(String[] names) {
        return queues.getOrDefault(names[0], Map.of()).entrySet().stream()
                .filter(partition -> !partition.getValue().isEmpty()).map(Map.Entry::getKey)
                .filter(partition -> names.length == 1 || partition.equals(names[1]))
                .filter(partition -> !held.contains(names[0] + "/" + partition)).findFirst().orElse(null);
    }

    private String take(String queue, String partition, int batch) {
        ObjectNode answer = JSON.createObjectNode();
        ArrayNode messages = answer.putArray("messages");
        Deque<JsonNode> items = queues.get(queue).get(partition);
        for (int i = 0; i < batch && !items.isEmpty(); i++) {
            JsonNode item = items.removeFirst();
            ObjectNode message = messages.addObject().put("transactionId", item.get("transactionId").asText());
            message.put("partitionId", queue + "/" + partition).put("leaseId", "lease").set("data",
                    item.get("payload"));
        }
        return answer.toString();
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A fault answers null to hang up instead. */
    record Answer(int status, String body) {
        String text() {
            String head = "HTTP/1.1 " + status + " Whatever\r\n";
            return status == 204 ? head + "\r\n" : head + "Content-Length: " + body.length() + "\r\n\r\n" + body;
        }

        /** With the first two messages in the place of each other. */
        Answer swapped() {
            return changed(messages -> messages.insert(0, messages.remove(1)));
        }

        Answer withoutFirst() {
            return changed(messages -> messages.remove(0));
        }

        /** Without the message that should be the last. */
        Answer shortened() {
            return changed(messages -> messages.remove(messages.size() - 1));
        }

        private Answer changed(Consumer<ArrayNode> change) {
            try {
                ObjectNode root = (ObjectNode) JSON.readTree(body);
                change.accept((ArrayNode) root.get("messages"));
                return new Answer(status, root.toString());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
