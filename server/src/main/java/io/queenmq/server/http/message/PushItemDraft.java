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
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Collects the fields of one pushed message during parsing; reused for all messages. The payload is not copied: it is
 * identified by its bounds in the body. Owned by one event loop.
 */
public final class PushItemDraft {
    static final String DEFAULT_PARTITION = "Default";

    private final MessageIds ids;
    private final byte[] absentPayload;
    private final MessageLine line = new MessageLine();
    private final HeadersReader headersReader = new HeadersReader();

    private boolean isNullAbsent;
    private @Nullable String producerSub;
    private @Nullable String queue;
    private String partition = DEFAULT_PARTITION;
    private @Nullable String transactionId;
    private @Nullable String traceId;
    private byte @Nullable [] headers;
    private int payloadStart;
    private int payloadEnd;

    /** @param absentPayload payload of a message without one */
    public PushItemDraft(MessageIds ids, String absentPayload) {
        this.ids = ids;
        this.absentPayload = absentPayload.getBytes(StandardCharsets.US_ASCII);
    }

    /** Treats JSON null as an absent field from now on. */
    public PushItemDraft acceptingNulls() {
        isNullAbsent = true;
        return this;
    }

    boolean acceptsNulls() {
        return isNullAbsent;
    }

    /** Sets the subject of the producer of all following messages. A subject in a message is ignored. */
    public void setProducer(@Nullable String producerSub) {
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

    /** Reads a message. The parser must be at its opening brace. */
    PushItem read(JsonParser parser, byte[] body) throws IOException {
        clear();
        for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            if (!readField(name, parser, body)) {
                JsonInput.skip(parser);
            }
        }
        return finish(body);
    }

    /** Reads the value of the current field if it belongs to a message. Returns false without reading otherwise. */
    boolean readField(String name, JsonParser parser, byte[] body) throws IOException {
        switch (name) {
            case "queue" -> queue = JsonInput.string(parser, name);
            case "partition" -> partition = Objects.requireNonNullElse(optional(parser, name), DEFAULT_PARTITION);
            case "transactionId" -> transactionId = optional(parser, name);
            case "traceId" -> traceId = optional(parser, name);
            case "headers" -> headers = headersReader.read(parser);
            case "payload" -> readPayload(parser, body);
            default -> {
                return false;
            }
        }
        return true;
    }

    private @Nullable String optional(JsonParser parser, String name) throws IOException {
        return isNullAbsent ? JsonInput.stringOrNull(parser, name) : JsonInput.string(parser, name);
    }

    void setTransactionId(String transactionId) {
        this.transactionId = transactionId;
    }

    /** Reads the value of the current field, of any type, as the payload. */
    void readPayload(JsonParser parser, byte[] body) throws IOException {
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
     * Returns the end of a string. Finishing the token instead would decode it into characters, which need twice the memory. The
     * parser validates the string when it skips it.
     */
    private static int stringEnd(byte[] body, int start) {
        int at = start + 1;
        while (at < body.length && body[at] != '"') {
            at += body[at] == '\\' ? 2 : 1;
        }
        return Math.min(at + 1, body.length);
    }

    /** Validates the fields and returns the message. */
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
