package io.queenmq.server.http.message;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.queenmq.engine.command.PushItem;
import io.queenmq.engine.push.MessageIds;
import io.queenmq.engine.push.TransactionHash;
import io.queenmq.server.http.json.BadRequest;
import io.queenmq.server.http.json.JsonInput;
import io.queenmq.server.http.json.Names;
import io.queenmq.server.http.json.Uuids;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * The fields of one pushed message while they are read; used for one after the other. The payload stays where it is in
 * the body and is known by its bounds. Owned by one event loop.
 */
public final class PushItemDraft {
    static final String DEFAULT_PARTITION = "Default";

    private final MessageIds ids;
    private final byte[] absentPayload;
    private final MessageLine line = new MessageLine();
    private final HeadersReader headersReader = new HeadersReader();

    private boolean isNullAbsent;
    private String producerSub;
    private String queue;
    private String partition;
    private String transactionId;
    private String traceId;
    private byte[] headers;
    private int payloadStart;
    private int payloadEnd;

    /** @param absentPayload what a message without a payload gets */
    public PushItemDraft(MessageIds ids, String absentPayload) {
        this.ids = ids;
        this.absentPayload = absentPayload.getBytes(StandardCharsets.US_ASCII);
    }

    /** From now on a field that is null counts as one that is not given. */
    public PushItemDraft takingNulls() {
        isNullAbsent = true;
        return this;
    }

    boolean isTakingNulls() {
        return isNullAbsent;
    }

    /** Who pushes, in all messages from now on; what a message itself says about that is not believed. */
    public void setProducer(String producerSub) {
        this.producerSub = producerSub;
    }

    void clear() {
        queue = null;
        partition = DEFAULT_PARTITION;
        transactionId = null;
        traceId = null;
        headers = null;
        payloadStart = -1;
        payloadEnd = -1;
    }

    /** Reads the message whose opening brace was just read. */
    PushItem read(JsonParser parser, byte[] body) throws IOException {
        clear();
        for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            if (!take(name, parser, body)) {
                JsonInput.skip(parser);
            }
        }
        return finish(body);
    }

    /** Reads the value of the field just named, if it is one of a message. */
    boolean take(String name, JsonParser parser, byte[] body) throws IOException {
        switch (name) {
            case "queue" -> queue = JsonInput.string(parser, name);
            case "partition" -> partition = optional(parser, name, DEFAULT_PARTITION);
            case "transactionId" -> transactionId = optional(parser, name, null);
            case "traceId" -> traceId = optional(parser, name, null);
            case "headers" -> headers = headersReader.read(parser);
            case "payload" -> takePayload(parser, body);
            default -> {
                return false;
            }
        }
        return true;
    }

    private String optional(JsonParser parser, String name, String absent) throws IOException {
        if (!isNullAbsent) {
            return JsonInput.string(parser, name);
        }
        String given = JsonInput.stringOrNull(parser, name);
        return given == null ? absent : given;
    }

    void setTransactionId(String transactionId) {
        this.transactionId = transactionId;
    }

    /** Reads the value of the field just named as the payload, whatever it is. */
    void takePayload(JsonParser parser, byte[] body) throws IOException {
        JsonToken token = parser.nextToken();
        payloadStart = Math.toIntExact(parser.currentTokenLocation().getByteOffset());
        if (token == JsonToken.START_OBJECT || token == JsonToken.START_ARRAY) {
            parser.skipChildren();
        } else if (token == JsonToken.VALUE_STRING) {
            payloadEnd = stringEnd(body, payloadStart);
            return;
        } else {
            parser.finishToken();
        }
        payloadEnd = Math.toIntExact(parser.currentLocation().getByteOffset());
    }

    /**
     * Where a string ends. Finishing the token instead would decode it into characters, twice its size, for nothing; the
     * parser checks it when it passes over it.
     */
    private static int stringEnd(byte[] body, int start) {
        int at = start + 1;
        while (at < body.length && body[at] != '"') {
            at += body[at] == '\\' ? 2 : 1;
        }
        return Math.min(at + 1, body.length);
    }

    /** Checks what was read and makes the message of it. */
    PushItem finish(byte[] body) {
        if (queue == null) {
            throw new BadRequest("queue is missing");
        }
        Names.requireQueue(queue, "queue");
        Names.requireName(partition, "partition");
        if (traceId != null && Uuids.parse(traceId) == null) {
            throw new BadRequest("traceId must be a UUID");
        }
        UUID id = ids.next();
        String transaction = transactionId == null
                ? ids.next().toString()
                : Names.requireName(transactionId, "transactionId");
        return new PushItem(queue, partition, id, transaction, TransactionHash.of(transaction), traceId,
                line(id, transaction, body));
    }

    private byte[] line(UUID id, String transaction, byte[] body) {
        if (payloadStart < 0) {
            return line.of(id, transaction, traceId, producerSub, headers, absentPayload, 0, absentPayload.length);
        }
        return line.of(id, transaction, traceId, producerSub, headers, body, payloadStart, payloadEnd);
    }
}
