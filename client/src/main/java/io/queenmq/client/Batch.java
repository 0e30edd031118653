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
 * Messages popped by hand, under one lease. Say what became of each, or of all; what is left when the batch is closed is
 * handed back, and delivered again without counting as a failure.
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

    /** As another process has popped them. */
    static Batch<Json> of(Context context, List<Json> messages) {
        @Nullable
        Lease lease = null;
        List<Delivery<Json>> deliveries = new ArrayList<>(messages.size());
        for (Json each : messages) {
            JsonNode message = JsonNode.parse(each.text().getBytes(StandardCharsets.UTF_8));
            String leaseId = required(message, "leaseId");
            if (lease != null && !lease.id().equals(leaseId)) {
                throw new IllegalArgumentException("the deliveries are of more than one lease");
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
            throw new IllegalArgumentException("a delivery needs its " + field);
        }
        return text;
    }

    /** In the order of their partitions. */
    public List<Delivery<T>> deliveries() {
        return deliveries;
    }

    public boolean isEmpty() {
        return deliveries.isEmpty();
    }

    public int size() {
        return deliveries.size();
    }

    /** How many partitions they came from. */
    int partitions() {
        return (int) deliveries.stream().map(Delivery::partitionId).distinct().count();
    }

    @Override
    public Iterator<Delivery<T>> iterator() {
        return deliveries.iterator();
    }

    /** All of them are done. */
    public List<AckResult> ack() {
        return send(deliveries.stream().map(each -> new Item(each, Status.COMPLETED, null)).toList());
    }

    /** This one is done. */
    public AckResult ack(Delivery<T> delivery) {
        return send(delivery, Status.COMPLETED, null);
    }

    /**
     * This one went wrong: it is delivered again after the queue's retry delay, the last time alone, until its deliveries
     * are used up. The lease of its partition ends, so finish the ones before it first.
     */
    public AckResult fail(Delivery<T> delivery, String reason) {
        return send(delivery, Status.FAILED, reason);
    }

    /** This one, and what follows in its partition, is delivered again; nothing is counted. The lease of its partition ends. */
    public AckResult handBack(Delivery<T> delivery) {
        return send(delivery, Status.RETRY, null);
    }

    /** This one goes to the dead letters at once, and the partition goes on. */
    public AckResult deadLetter(Delivery<T> delivery, String reason) {
        return send(delivery, Status.DEAD, reason);
    }

    /** Keeps the lease at least that much longer from now; false when it is lost. */
    public boolean renew(Duration length) {
        return lease.renew(context.wire(), length, length);
    }

    public CompletableFuture<List<AckResult>> ackAsync() {
        return context.async(this::ack);
    }

    public CompletableFuture<AckResult> ackAsync(Delivery<T> delivery) {
        return context.async(() -> ack(delivery));
    }

    public CompletableFuture<AckResult> failAsync(Delivery<T> delivery, String reason) {
        return context.async(() -> fail(delivery, reason));
    }

    public CompletableFuture<AckResult> handBackAsync(Delivery<T> delivery) {
        return context.async(() -> handBack(delivery));
    }

    public CompletableFuture<AckResult> deadLetterAsync(Delivery<T> delivery, String reason) {
        return context.async(() -> deadLetter(delivery, reason));
    }

    public CompletableFuture<Boolean> renewAsync(Duration length) {
        return context.async(() -> renew(length));
    }

    /** Hands back what nothing was said about. */
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
        // A lease ended by a failure has no partition left to hand back; the server's no is as good as its yes.
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
            throw new IllegalStateException("these messages were popped at most once: they were done when they came");
        }
        List<AckResult> results = new ArrayList<>(items.size());
        for (Acks.Answer each : Acks.send(context.wire(), items, null)) {
            results.add(each.result());
        }
        return results;
    }
}
