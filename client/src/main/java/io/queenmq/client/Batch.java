package io.queenmq.client;

import io.queenmq.client.Acks.Item;
import io.queenmq.client.Acks.Status;
import io.queenmq.client.wire.JsonNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Messages that the application popped itself, under one lease. Acknowledge each message or all of them. {@link #close}
 * releases the rest: it is redelivered without counting as a failure.
 */
public final class Batch<T> implements AutoCloseable, Iterable<Delivery<T>> {
    private final Context context;
    private final Lease lease;
    private final List<Delivery<T>> deliveries;

    Batch(Context context, Lease lease, List<Delivery<T>> deliveries) {
        this.context = context;
        this.lease = lease;
        this.deliveries = List.copyOf(deliveries);
    }

    /** Creates the batch from deliveries that another process has popped. */
    static Batch<Json> of(Context context, List<Json> messages) {
        @Nullable
        Lease lease = null;
        List<Delivery<Json>> deliveries = new ArrayList<>(messages.size());
        for (Json each : messages) {
            JsonNode message = JsonNode.parse(each.text().getBytes(StandardCharsets.UTF_8));
            String leaseId = required(message, "leaseId");
            if (lease != null && !lease.id().equals(leaseId)) {
                throw new IllegalArgumentException(
                        "the deliveries belong to more than one lease; resume each lease with its own call");
            }
            lease = lease == null ? new Lease(leaseId, null) : lease;
            required(message, "transactionId");
            required(message, "partitionId");
            deliveries.add(new Delivery<>(message, context.payloads(), Json.class, lease));
        }
        return new Batch<>(context, lease == null ? Lease.NONE : lease, deliveries);
    }

    private static String required(JsonNode message, String field) {
        String text = message.get(field).text("");
        if (text.isEmpty()) {
            throw new IllegalArgumentException("a delivery has no " + field);
        }
        return text;
    }

    /** Returns the deliveries in partition order. */
    public List<Delivery<T>> deliveries() {
        return deliveries;
    }

    public boolean isEmpty() {
        return deliveries.isEmpty();
    }

    public int size() {
        return deliveries.size();
    }

    /** Returns the number of partitions of the messages. */
    int partitions() {
        return (int) deliveries.stream().map(Delivery::partitionId).distinct().count();
    }

    @Override
    public Iterator<Delivery<T>> iterator() {
        return deliveries.iterator();
    }

    /** Acknowledges all messages. */
    public List<AckResult> ack() {
        return send(deliveries.stream().map(each -> new Item(each, Status.COMPLETED, null)).toList());
    }

    /** Acknowledges one message. */
    public AckResult ack(Delivery<T> delivery) {
        return send(delivery, Status.COMPLETED, null);
    }

    /**
     * Reports a failed attempt. The message is redelivered after the retry delay of the queue until its attempts are
     * used up; the last attempt is made without other messages. The lease of its partition ends, so acknowledge earlier
     * messages first.
     */
    public AckResult fail(Delivery<T> delivery, @Nullable String reason) {
        return send(delivery, Status.FAILED, reason);
    }

    /**
     * Releases this message and the following ones of its partition for redelivery without counting a failure. The
     * lease of the partition ends.
     */
    public AckResult release(Delivery<T> delivery) {
        return send(delivery, Status.RETRY, null);
    }

    /** Dead-letters one message. The partition continues with the next message. */
    public AckResult deadLetter(Delivery<T> delivery, @Nullable String reason) {
        return send(delivery, Status.DEAD, reason);
    }

    /** Extends the lease to at least this time from now. Returns false if it is lost. */
    public boolean renew(Duration length) {
        return lease.renew(context.wire(), length, length);
    }

    public CompletableFuture<List<AckResult>> ackAsync() {
        return context.async(this::ack);
    }

    public CompletableFuture<AckResult> ackAsync(Delivery<T> delivery) {
        return context.async(() -> ack(delivery));
    }

    public CompletableFuture<AckResult> failAsync(Delivery<T> delivery, @Nullable String reason) {
        return context.async(() -> fail(delivery, reason));
    }

    public CompletableFuture<AckResult> releaseAsync(Delivery<T> delivery) {
        return context.async(() -> release(delivery));
    }

    public CompletableFuture<AckResult> deadLetterAsync(Delivery<T> delivery, @Nullable String reason) {
        return context.async(() -> deadLetter(delivery, reason));
    }

    public CompletableFuture<Boolean> renewAsync(Duration length) {
        return context.async(() -> renew(length));
    }

    /** Releases the messages that were not acknowledged. */
    @Override
    public void close() {
        if (lease == Lease.NONE || lease.isLost()) {
            return;
        }
        Map<String, Item> firstOfPartition = new LinkedHashMap<>();
        for (Delivery<T> each : deliveries) {
            if (!each.isSettled()) {
                firstOfPartition.putIfAbsent(each.partitionId(), new Item(each, Status.RETRY, null));
            }
        }
        // If a failure ended the lease, the partition is already released, and the server's error changes nothing.
        Acks.send(context.wire(), List.copyOf(firstOfPartition.values()), null);
    }

    private AckResult send(Delivery<T> delivery, Status status, @Nullable String reason) {
        return send(List.of(new Item(delivery, status, reason))).getFirst();
    }

    private List<AckResult> send(List<Item> items) {
        if (items.isEmpty()) {
            return List.of();
        }
        if (lease == Lease.NONE) {
            throw new IllegalStateException(
                    "the messages were popped at most once, so they were finished at delivery and cannot be acknowledged");
        }
        List<AckResult> results = new ArrayList<>(items.size());
        for (Acks.ItemResult each : Acks.send(context.wire(), items, null)) {
            results.add(each.result());
        }
        return results;
    }
}
