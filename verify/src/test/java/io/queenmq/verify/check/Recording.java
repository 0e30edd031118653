package io.queenmq.verify.check;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Writes a history of one queue with one partition, for tests. Times are in milliseconds; each request takes 10 ms. */
final class Recording {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int MICROS = 1_000;
    private static final int REQUEST_MS = 10;
    static final String GROUP = "g";

    private final List<String> lines = new ArrayList<>();
    /** The last message that was recorded at each offset. */
    private final Map<Integer, Integer> messages = new HashMap<>();
    private int fault;

    /** @param options of the queue, as JSON */
    Recording(String options) {
        line(0, 0, "setup", "queue", json("{'queue':'q','audited':true,'outcome':'ok','options':%s}", options));
        line(0, 0, "setup", "group", json("{'queue':'q','group':'%s','complete':true}", GROUP));
    }

    Recording() {
        this("{'retryLimit':3}");
    }

    private static ObjectNode json(String text, Object... values) {
        try {
            return (ObjectNode) JSON.readTree(String.format(text, values).replace('\'', '"'));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Recording line(int start, int end, String process, String op, ObjectNode rest) {
        ObjectNode line = JSON.createObjectNode().put("n", lines.size() + 1).put("process", process).put("op", op)
                .put("start", (long) start * MICROS).put("end", (long) end * MICROS);
        line.setAll(rest);
        lines.add(line.toString());
        return this;
    }

    /** Adds any line. */
    Recording line(int start, String op, String rest) {
        return line(start, start + REQUEST_MS, "other", op, json(rest));
    }

    /** A message that was stored at an offset. */
    Recording push(int at, int m, int offset) {
        messages.put(offset, m);
        return push(at, m, "{'status':'queued','partitionId':'P','offset':" + offset + "}", "ok", "");
    }

    /** A push with another result than {@code queued}. */
    Recording push(int at, int m, String result, String outcome, String transactionId) {
        String item = transactionId.isEmpty() ? "" : ",'txn':'" + transactionId + "','reused':true";
        return line(at, at + REQUEST_MS, "producer", "push",
                json("{'queue':'q','outcome':'%s','items':[{'m':%d,'partition':'a'%s}],'results':[%s]}", outcome, m,
                        item, result));
    }

    Recording unknownPush(int at, int m) {
        return push(at, m, "", "unknown", "");
    }

    /** A message is at an offset, although no response named it. */
    Recording stored(int offset, int m) {
        messages.put(offset, m);
        return this;
    }

    /** A pop with a lease of four seconds. */
    Recording pop(int at, String lease, int attempt, int... offsets) {
        ObjectNode line = json("{'queue':'q','group':'%s','outcome':'ok','lease':'%s','leaseSeconds':4}", GROUP, lease);
        line.set("messages", delivered(attempt, offsets));
        return line(at, at + REQUEST_MS, "consumer-" + lease, "pop", line);
    }

    private ArrayNode delivered(int attempt, int... offsets) {
        ArrayNode all = JSON.createArrayNode();
        for (int offset : offsets) {
            all.add(json("{'m':%d,'partition':'a','partitionId':'P','offset':%d,'attempt':%d,'created':%d}",
                    messages.get(offset), offset, attempt, 1_000_000L + offset));
        }
        return all;
    }

    Recording ack(int at, String lease, int... offsets) {
        return ack(at, lease, "completed", "{'success':true}", "ok", offsets);
    }

    /** @param result of each message, as JSON */
    Recording ack(int at, String lease, String status, String result, String outcome, int... offsets) {
        ObjectNode line = json("{'group':'%s','lease':'%s','outcome':'%s'}", GROUP, lease, outcome);
        line.set("acks", acks(status, offsets));
        ArrayNode results = line.putArray("results");
        for (int i = 0; i < offsets.length && outcome.equals("ok"); i++) {
            results.add(json(result));
        }
        return line(at, at + REQUEST_MS, "consumer-" + lease, "ack", line);
    }

    private ArrayNode acks(String status, int... offsets) {
        ArrayNode acks = JSON.createArrayNode();
        for (int offset : offsets) {
            acks.add(
                    json("{'m':%d,'partitionId':'P','offset':%d,'status':'%s'}", messages.get(offset), offset, status));
        }
        return acks;
    }

    /** A transaction that acknowledges offsets and pushes messages to partitions of their own. */
    Recording transaction(int at, String lease, String outcome, int[] offsets, int... pushes) {
        ObjectNode line = json("{'group':'%s','lease':'%s','outcome':'%s'}", GROUP, lease, outcome);
        line.set("acks", acks("completed", offsets));
        ArrayNode items = line.putArray("items");
        for (int m : pushes) {
            items.add(json("{'m':%d,'queue':'r','partition':'t%d'}", m, m));
        }
        return line(at, at + REQUEST_MS, "transactor", "transaction", line);
    }

    Recording fault(int from, int to, String... excuses) {
        fault++;
        ObjectNode begin = json("{'fault':%d,'name':'fault'}", fault);
        ArrayNode all = begin.putArray("excuses");
        for (String each : excuses) {
            all.add(each);
        }
        line(from, from, "faults", "fault-begin", begin);
        return line(to, to, "faults", "fault-end", json("{'fault':%d,'name':'fault'}", fault));
    }

    /** The group received everything; the audit finds these offsets. */
    Recording end(int at, int... audited) {
        line(at, at + 8_000, "run", "drain", json("{'complete':true}"));
        ObjectNode pop = json("{'queue':'q','group':'%s','outcome':'ok','lease':'','autoAck':true}", Ledger.AUDIT);
        pop.set("messages", delivered(1, audited));
        line(at + 9_000, at + 9_010, "audit", "pop", pop);
        return line(at + 9_000, at + 9_100, "audit", "audit", json("{'queue':'q','complete':true}"));
    }

    /** The audit of the queue of transactions finds these messages. */
    Recording endOfTransactions(int at, int... messages) {
        line(0, 0, "setup", "queue", json("{'queue':'r','audited':true,'outcome':'ok','options':{'retryLimit':3}}"));
        ObjectNode pop = json("{'queue':'r','group':'%s','outcome':'ok','lease':'','autoAck':true}", Ledger.AUDIT);
        ArrayNode all = pop.putArray("messages");
        for (int m : messages) {
            all.add(json("{'m':%d,'queue':'r','partition':'t%d','partitionId':'T%d','offset':0,'created':1}", m, m, m));
        }
        line(at, at + REQUEST_MS, "audit", "pop", pop);
        return line(at, at + REQUEST_MS, "audit", "audit", json("{'queue':'r','complete':true}"));
    }

    Findings check() {
        try {
            Path file = Files.createTempFile("history", ".jsonl");
            try {
                Files.write(file, lines);
                return Checker.check(file, (JsonNode _) -> {});
            } finally {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
