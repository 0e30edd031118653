package io.queenmq.verify.check;

import com.fasterxml.jackson.databind.JsonNode;
import io.queenmq.verify.check.Entry.Acked;
import io.queenmq.verify.check.Entry.Delivered;
import io.queenmq.verify.check.Entry.Line;
import io.queenmq.verify.check.Entry.Outcome;
import io.queenmq.verify.check.Entry.Pushed;
import java.util.ArrayList;
import java.util.List;

/** Decodes lines of a history. */
final class Decoder {
    private Decoder() {}

    static Entry decode(JsonNode node) {
        Line line = new Line(node.path("n").asLong(), node.path("process").asText(), node.path("op").asText(),
                node.path("start").asLong(), node.path("end").asLong(), node);
        return switch (line.op()) {
            case "push" -> new Entry.Push(line, line.text("queue"), pushed(line, outcome(node)));
            case "pop" -> pop(line);
            case "ack" -> new Entry.Ack(line, line.text("group"), acked(line, outcome(node)));
            case "transaction" -> transaction(line);
            case "renew" -> new Entry.Renewal(line, line.text("lease"), node.path("seconds").asDouble(), outcome(node));
            case "seek" -> seek(line);
            default -> new Entry.Control(line);
        };
    }

    private static Outcome outcome(JsonNode node) {
        return switch (node.path("outcome").asText()) {
            case "ok" -> Outcome.DONE;
            case "rejected" -> Outcome.REJECTED;
            default -> Outcome.UNKNOWN;
        };
    }

    private static List<Pushed> pushed(Line line, Outcome outcome) {
        List<Pushed> items = new ArrayList<>();
        JsonNode results = line.node().path("results");
        int index = 0;
        for (JsonNode item : line.node().path("items")) {
            JsonNode result = results.path(index++);
            String status = result.path("status").asText("");
            Outcome ofItem = outcome == Outcome.DONE && !line.op().equals("transaction") ? outcomeOf(status) : outcome;
            items.add(new Pushed(item.path("m").asLong(), item.path("queue").asText(line.text("queue")),
                    item.path("partition").asText(), line.process(), item.path("s").asLong(-1),
                    item.path("e").asLong(0), item.path("txn").asText(""), item.path("reused").asBoolean(), ofItem,
                    status, result.path("partitionId").asText(""), result.path("offset").asLong(-1),
                    result.path("id").asText("")));
        }
        return items;
    }

    private static Outcome outcomeOf(String status) {
        return switch (status) {
            case "queued", "duplicate", "buffered" -> Outcome.DONE;
            // A message of a push that failed in part may have been stored by a call whose response was lost.
            default -> Outcome.UNKNOWN;
        };
    }

    private static Entry.Pop pop(Line line) {
        JsonNode node = line.node();
        List<Delivered> messages = new ArrayList<>();
        for (JsonNode each : node.path("messages")) {
            messages.add(new Delivered(each.path("m").asLong(-1), each.path("queue").asText(line.text("queue")),
                    each.path("partition").asText(), each.path("partitionId").asText(), each.path("offset").asLong(),
                    each.path("attempt").asInt(1), each.path("created").asLong(), each.path("txn").asText(""),
                    each.path("id").asText("")));
        }
        return new Entry.Pop(line, line.text("queue"), line.text("group"), node.path("autoAck").asBoolean(),
                node.path("leaseSeconds").asDouble(), line.text("lease"), outcome(node), messages);
    }

    private static List<Acked> acked(Line line, Outcome outcome) {
        List<Acked> items = new ArrayList<>();
        boolean isTransaction = line.op().equals("transaction");
        JsonNode results = line.node().path("results");
        int index = 0;
        for (JsonNode item : line.node().path("acks")) {
            JsonNode result = results.path(index++);
            Outcome ofItem = outcome != Outcome.DONE || isTransaction
                    ? outcome
                    : result.path("success").asBoolean() ? Outcome.DONE : Outcome.REJECTED;
            items.add(new Acked(item.path("m").asLong(), item.path("partitionId").asText(),
                    item.path("offset").asLong(), item.path("lease").asText(line.text("lease")),
                    item.path("status").asText("completed"), ofItem, !isTransaction && result.path("dlq").asBoolean()));
        }
        return items;
    }

    private static Entry.Transaction transaction(Line line) {
        boolean isApplied = line.node().path("applied").asBoolean(true);
        Outcome outcome = isApplied ? outcome(line.node()) : Outcome.UNKNOWN;
        return new Entry.Transaction(line, line.text("group"), outcome, pushed(line, outcome), acked(line, outcome),
                line.text("stream"), line.node().path("sum").asLong());
    }

    private static Entry.Seek seek(Line line) {
        JsonNode node = line.node();
        return new Entry.Seek(line, line.text("queue"), line.text("group"),
                node.hasNonNull("partition") ? node.path("partition").asText() : null,
                node.hasNonNull("createdAfter") ? (Long) node.path("createdAfter").asLong() : null,
                node.path("offset").asLong(-1), outcome(node));
    }
}
