package io.queenmq.verify.load;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.queenmq.verify.load.Session.Result;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The requests of producers and consumers, as they are sent and as they are in the history. */
public final class Requests {
    static final Duration PATIENCE = Duration.ofSeconds(15);

    private final Session session;

    public Requests(Session session) {
        this.session = session;
    }

    Session session() {
        return session;
    }

    /**
     * A message to be pushed.
     *
     * @param m the number of the message, which is its payload
     * @param transactionId null if the server makes one up
     */
    record Message(long m, String queue, String partition, @Nullable String transactionId, boolean isReused) {}

    /** A popped message. */
    record Delivery(long m, String queue, String partition, String partitionId, long offset, String transactionId,
            int attempt, long createdMicros) {}

    /** The messages of a pop and their lease. */
    record Popped(String lease, List<Delivery> messages, boolean isUnknown) {}

    Result push(String queue, List<Message> messages) {
        ObjectNode body = Session.object();
        ArrayNode items = body.putArray("items");
        messages.forEach(each -> items.add(item(each)));
        Result result = session.call("POST", "/api/v1/push", body, PATIENCE);
        ObjectNode line = Session.object().put("queue", queue);
        line.set("items", described(messages, false));
        ArrayNode results = line.putArray("results");
        if (result.isOk()) {
            for (JsonNode each : result.body()) {
                ObjectNode one = results.addObject().put("status", each.path("status").asText());
                copy(each, one, "partitionId", "offset", "error");
                if (each.path("status").asText().equals("duplicate")) {
                    one.put("id", each.path("messageId").asText());
                }
            }
        }
        session.append("push", result, line);
        return result;
    }

    static ObjectNode item(Message message) {
        ObjectNode item = Session.object().put("queue", message.queue()).put("partition", message.partition());
        if (message.transactionId() != null) {
            item.put("transactionId", message.transactionId());
        }
        item.set("payload", payload(message));
        return item;
    }

    static ObjectNode payload(Message message) {
        return Session.object().put("m", message.m());
    }

    private static ArrayNode described(List<Message> messages, boolean isWithQueue) {
        ArrayNode all = Session.object().putArray("items");
        for (Message each : messages) {
            ObjectNode one = all.addObject().put("m", each.m()).put("partition", each.partition());
            if (isWithQueue) {
                one.put("queue", each.queue());
            }
            if (each.transactionId() != null) {
                one.put("txn", each.transactionId());
            }
            if (each.isReused()) {
                one.put("reused", true);
            }
        }
        return all;
    }

    /**
     * Pops.
     *
     * @param partition null for any partition
     * @param wait zero for a response at once
     */
    Popped pop(String queue, @Nullable String partition, String group, int batch, int partitions, Duration wait,
            double leaseSeconds, boolean isAutoAck) {
        StringBuilder target = new StringBuilder("/api/v1/pop/queue/").append(encoded(queue));
        if (partition != null) {
            target.append("/partition/").append(encoded(partition));
        }
        target.append("?consumerGroup=").append(encoded(group)).append("&batch=").append(batch);
        if (partitions > 1) {
            target.append("&partitions=").append(partitions);
        }
        if (!wait.isZero()) {
            target.append("&wait=true&timeout=").append(wait.toMillis());
        }
        if (isAutoAck) {
            target.append("&autoAck=true");
        } else {
            target.append("&leaseSeconds=").append((int) leaseSeconds);
        }
        Result result = session.call("GET", target.toString(), null, wait.plus(PATIENCE));
        ObjectNode line = Session.object().put("queue", queue).put("group", group);
        if (isAutoAck) {
            line.put("autoAck", true);
        } else {
            line.put("leaseSeconds", (int) leaseSeconds);
        }
        String lease = result.body().path("leaseId").asText("");
        List<Delivery> messages = new ArrayList<>();
        ArrayNode described = line.put("lease", lease).putArray("messages");
        for (JsonNode each : result.body().path("messages")) {
            Delivery delivery = delivery(each);
            messages.add(delivery);
            ObjectNode one = described.addObject();
            if (group.equals(Audit.GROUP)) {
                one.put("id", each.path("id").asText());
            }
            one.put("m", delivery.m).put("partition", delivery.partition).put("partitionId", delivery.partitionId)
                    .put("offset", delivery.offset).put("attempt", delivery.attempt)
                    .put("created", delivery.createdMicros).put("txn", delivery.transactionId);
        }
        session.append("pop", result, line);
        return new Popped(lease, messages, result.isUnknown());
    }

    private static Delivery delivery(JsonNode message) {
        Instant created = Instant.parse(message.path("createdAt").asText());
        return new Delivery(message.path("data").path("m").asLong(-1), message.path("queue").asText(),
                message.path("partition").asText(), message.path("partitionId").asText(),
                message.path("offset").asLong(-1), message.path("transactionId").asText(),
                message.path("deliveryAttempt").asInt(),
                created.getEpochSecond() * 1_000_000 + created.getNano() / 1_000);
    }

    /** Acknowledges messages of one lease, each with the status of its position. */
    Result ack(String group, String lease, List<Delivery> messages, List<String> statuses) {
        ObjectNode body = Session.object().put("consumerGroup", group);
        ArrayNode items = body.putArray("acknowledgments");
        ObjectNode line = Session.object().put("group", group).put("lease", lease);
        ArrayNode acks = line.putArray("acks");
        for (int i = 0; i < messages.size(); i++) {
            Delivery each = messages.get(i);
            items.addObject().put("transactionId", each.transactionId).put("partitionId", each.partitionId)
                    .put("leaseId", lease).put("status", statuses.get(i));
            acks.addObject().put("m", each.m).put("partitionId", each.partitionId).put("offset", each.offset)
                    .put("status", statuses.get(i));
        }
        Result result = session.call("POST", "/api/v1/ack/batch", body, PATIENCE);
        ArrayNode results = line.putArray("results");
        if (result.isOk()) {
            for (JsonNode each : result.body()) {
                ObjectNode one = results.addObject().put("success", each.path("success").asBoolean());
                if (each.path("dlq").asBoolean()) {
                    one.put("dlq", true);
                }
                copy(each, one, "error");
            }
        }
        session.append("ack", result, line);
        return result;
    }

    /** Acknowledges messages of one lease and pushes others, together or not at all. */
    Result transact(String group, String lease, List<Delivery> acks, List<Message> pushes) {
        ObjectNode body = Session.object();
        ArrayNode operations = body.putArray("operations");
        for (Delivery each : acks) {
            operations.addObject().put("type", "ack").put("transactionId", each.transactionId)
                    .put("partitionId", each.partitionId).put("leaseId", lease).put("consumerGroup", group);
        }
        ObjectNode push = operations.addObject().put("type", "push");
        ArrayNode items = push.putArray("items");
        pushes.forEach(each -> items.add(item(each)));
        body.putArray("requiredLeases").add(lease);
        Result result = session.call("POST", "/api/v1/transaction", body, PATIENCE);
        boolean isRejected = result.isOk() && !result.body().path("success").asBoolean();
        recordTransaction(isRejected ? new Result(result.start(), 409, result.body()) : result, group, lease, acks,
                pushes);
        return result;
    }

    /** Appends a transaction to the history. */
    void recordTransaction(Result result, String group, String lease, List<Delivery> acks, List<Message> pushes) {
        session.append("transaction", result, transaction(group, lease, acks, pushes));
    }

    /** Returns the line of a transaction. */
    ObjectNode transaction(String group, String lease, List<Delivery> acks, List<Message> pushes) {
        ObjectNode line = Session.object().put("group", group).put("lease", lease);
        ArrayNode described = line.putArray("acks");
        for (Delivery each : acks) {
            described.addObject().put("m", each.m).put("partitionId", each.partitionId).put("offset", each.offset);
        }
        line.set("items", described(pushes, true));
        return line;
    }

    Result renew(String lease, int seconds) {
        Result result = session.call("POST", "/api/v1/lease/" + lease + "/extend",
                Session.object().put("seconds", seconds), PATIENCE);
        session.append("renew", result, Session.object().put("lease", lease).put("seconds", seconds));
        return result;
    }

    /** Sends the request of an operator. */
    Result operate(String op, String method, String target, @Nullable JsonNode body, ObjectNode fields) {
        Result result = session.call(method, target, body, PATIENCE);
        session.append(op, result, fields);
        return result;
    }

    private static void copy(JsonNode from, ObjectNode to, String... fields) {
        for (String each : fields) {
            if (from.hasNonNull(each)) {
                to.set(each, from.get(each));
            }
        }
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
