package io.queenmq.client;

import io.queenmq.client.error.CodecException;
import io.queenmq.client.wire.JsonNode;
import java.lang.reflect.Type;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A message as it was handed out to one consumer. Safe from any thread. */
public final class Delivery<T> {
    private final JsonNode message;
    private final Payloads payloads;
    private final Type type;
    private final Lease lease;
    private final String transactionId;
    private final String partition;
    private final String partitionId;
    private volatile boolean isSettled;
    private volatile boolean isUndecodable;
    private @Nullable T value;

    Delivery(JsonNode message, Payloads payloads, Type type, Lease lease) {
        this.message = message;
        this.payloads = payloads;
        this.type = type;
        this.lease = lease;
        this.transactionId = message.get("transactionId").string();
        this.partition = message.get("partition").string();
        this.partitionId = message.get("partitionId").string();
    }

    /**
     * The payload; null when it is a JSON null.
     *
     * @throws CodecException when it is not of the wanted type
     */
    public synchronized T value() {
        T decoded = value;
        if (decoded == null) {
            try {
                decoded = payloads.decode(payload(), type);
                value = decoded;
            } catch (CodecException e) {
                isUndecodable = true;
                throw e;
            }
        }
        return decoded;
    }

    /** Whether the payload was asked for and is not of the wanted type. */
    public boolean isUndecodable() {
        return isUndecodable;
    }

    /** The payload as it was pushed: one JSON value in UTF-8. */
    public byte[] payload() {
        return message.get("data").raw();
    }

    /** All of it as one line of JSON, to be handed to another process: see {@link Queen#resume}. */
    public Json toJson() {
        return new Json(message.toString());
    }

    /** The id the server gave to the message. */
    public String messageId() {
        return message.get("id").string();
    }

    public String transactionId() {
        return transactionId;
    }

    public String queue() {
        return message.get("queue").string();
    }

    /** The partition it came from. */
    public String partition() {
        return partition;
    }

    public String partitionId() {
        return partitionId;
    }

    /** Null when it was popped without a group. */
    public @Nullable String group() {
        String group = message.get("consumerGroup").text();
        return GroupView.NO_GROUP.equals(group) ? null : group;
    }

    /** Under which it was popped; empty when it was popped at most once. */
    public String leaseId() {
        return lease.id();
    }

    /** When it was stored, by the database's clock. */
    public Instant createdAt() {
        return message.get("createdAt").moment();
    }

    /** 1 when the group gets it for the first time, one more after each failure. */
    public int attempt() {
        return 1 + (int) message.get("retryCount").number();
    }

    /** Null when it was pushed without one. */
    public @Nullable String traceId() {
        return message.get("traceId").text();
    }

    /** What was pushed beside the payload; mostly nothing. */
    public Map<String, String> headers() {
        return message.get("headers").strings();
    }

    /** Who pushed it, by the token that was used; null when there was none. */
    public @Nullable String producerSub() {
        return message.get("producerSub").text();
    }

    /**
     * Whether somebody else may have this message by now. What is done for it from here on may be done twice, and an
     * acknowledgement will be refused: stop when it is possible.
     */
    public boolean isLeaseLost() {
        return lease.isLostFor(partitionId) && !isSettled;
    }

    Lease lease() {
        return lease;
    }

    /** Whether its end is stored already. */
    boolean isSettled() {
        return isSettled;
    }

    void settle() {
        isSettled = true;
    }

    @Override
    public String toString() {
        return queue() + "/" + partition + "/" + transactionId;
    }
}
