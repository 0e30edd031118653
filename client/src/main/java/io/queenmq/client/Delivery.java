package io.queenmq.client;

import io.queenmq.client.error.CodecException;
import io.queenmq.client.wire.JsonNode;
import java.lang.reflect.Type;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A message that was delivered to one consumer. Thread-safe. */
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
     * Returns the payload; null if it is a JSON null.
     *
     * @throws CodecException if the payload does not have the requested type
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

    /** Returns true if {@link #value} was called and the payload does not have the requested type. */
    public boolean isUndecodable() {
        return isUndecodable;
    }

    /** Returns the payload as it was pushed: one JSON value in UTF-8. */
    public byte[] payload() {
        return message.get("data").raw();
    }

    /** Returns the delivery as one line of JSON for another process, see {@link Queen#resume}. */
    public Json toJson() {
        return new Json(message.toString());
    }

    /** Returns the id that the server assigned to the message. */
    public String messageId() {
        return message.get("id").string();
    }

    public String transactionId() {
        return transactionId;
    }

    public String queue() {
        return message.get("queue").string();
    }

    /** Returns the name of the partition. */
    public String partition() {
        return partition;
    }

    public String partitionId() {
        return partitionId;
    }

    /** Returns the consumer group; null if the message was popped without one. */
    public @Nullable String group() {
        String group = message.get("consumerGroup").text();
        return GroupView.NO_GROUP.equals(group) ? null : group;
    }

    /** Returns the lease id; empty if the message was popped at most once. */
    public String leaseId() {
        return lease.id();
    }

    /** Returns the time at which the message was stored, by the clock of the database. */
    public Instant createdAt() {
        return message.get("createdAt").moment();
    }

    /** Returns the attempt: 1 at the first delivery to the group, incremented by each failure. */
    public int attempt() {
        return 1 + (int) message.get("retryCount").number();
    }

    /** Returns the trace id; null if it was pushed without one. */
    public @Nullable String traceId() {
        return message.get("traceId").text();
    }

    /** Returns the headers that were pushed with the payload. */
    public Map<String, String> headers() {
        return message.get("headers").strings();
    }

    /** Returns the subject of the producer's token; null if there was none. */
    public @Nullable String producerSub() {
        return message.get("producerSub").text();
    }

    /**
     * Returns true if the lease is lost, so that another consumer may receive this message. Further effects may happen
     * twice, and an acknowledgment will be rejected. A handler should stop if possible.
     */
    public boolean isLeaseLost() {
        return lease.isLostFor(partitionId) && !isSettled;
    }

    Lease lease() {
        return lease;
    }

    /** Returns true if the outcome is stored. */
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
