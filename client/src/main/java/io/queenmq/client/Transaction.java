package io.queenmq.client;

import io.queenmq.client.Acks.Status;
import io.queenmq.client.PushResult.Stored;
import io.queenmq.client.Tracing.PushTrace;
import io.queenmq.client.error.OutcomeUnknownException;
import io.queenmq.client.error.TransactionAbortedException;
import io.queenmq.client.wire.Call;
import io.queenmq.client.wire.JsonNode;
import io.queenmq.client.wire.JsonWriter;
import io.queenmq.client.wire.Names;
import io.queenmq.client.wire.Reply;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Acknowledgments and pushes that take effect together or not at all, and only while the leases of the acknowledged
 * messages are valid. Filled by one thread, then sent.
 */
public final class Transaction {
    private static final String PATH = "/api/v1/transaction";

    private final Context context;
    private final List<Acks.Item> acks = new ArrayList<>();
    private final List<Push.Item> pushes = new ArrayList<>();
    private final List<PushTrace> traces = new ArrayList<>();
    private final Set<String> leases = new LinkedHashSet<>();
    private @Nullable Delivery<?> first;

    Transaction(Context context) {
        this.context = context;
    }

    /** Acknowledges a message. */
    public Transaction ack(Delivery<?> delivery) {
        return settle(delivery, Status.COMPLETED, null);
    }

    /** Dead-letters a message. */
    public Transaction deadLetter(Delivery<?> delivery, String reason) {
        return settle(delivery, Status.DEAD, reason);
    }

    /** Aborts the transaction if the lease of this message is lost. The message itself stays unfinished. */
    public Transaction requireLeaseOf(Delivery<?> delivery) {
        if (delivery.lease() == Lease.NONE) {
            throw new IllegalArgumentException(
                    delivery + " was popped at most once, so it has no lease and cannot be part of a transaction");
        }
        leases.add(delivery.lease().id());
        first = first == null ? delivery : first;
        return this;
    }

    /** Appends a message to a partition: a payload, or a {@link Message} with its own ids. */
    public Transaction push(String queue, @Nullable String partition, @Nullable Object value) {
        return add(queue, partition, Message.from(value));
    }

    /** Appends a message with its own ids and partition. */
    public Transaction push(String queue, Message<?> message) {
        return add(queue, null, message);
    }

    private Transaction add(String queue, @Nullable String partition, Message<?> message) {
        PushTrace trace = context.tracing().startPush(Names.requireQueue(queue),
                partition == null ? message.partition() : partition, 1);
        traces.add(trace);
        pushes.add(Push.Item.of(queue, partition, message, trace.headers(), context.payloads()));
        return this;
    }

    private Transaction settle(Delivery<?> delivery, Status status, @Nullable String reason) {
        requireLeaseOf(delivery);
        acks.add(new Acks.Item(delivery, status, reason));
        return this;
    }

    /** Fills the transaction. If that fails, nothing is sent. */
    Transaction fill(Consumer<Transaction> filling) {
        try {
            filling.accept(this);
            return this;
        } catch (RuntimeException e) {
            traces.forEach(each -> each.end(e));
            throw e;
        }
    }

    /** Sends the transaction. Returns the results of the pushes, in order. */
    List<Stored> commit() {
        try {
            List<Stored> stored = send();
            traces.forEach(each -> each.end(null));
            return stored;
        } catch (RuntimeException e) {
            traces.forEach(each -> each.end(e));
            throw e;
        }
    }

    private List<Stored> send() {
        if (acks.isEmpty() && pushes.isEmpty()) {
            return List.of();
        }
        Call call = Call.post(PATH, body()).preferring(first == null ? null : first.lease().server());
        Reply reply = context.wire().send(call);
        JsonNode response = reply.json();
        if (!response.get("success").bool()) {
            String reason = response.get("error").text("the server did not state a reason");
            // The first attempt may have been committed and have ended the leases that the second one requires.
            throw reply.isRepeated()
                    ? new OutcomeUnknownException(
                            "the transaction was sent again after a response was lost, and was then rejected: "
                                    + reason,
                            null)
                    : new TransactionAbortedException(reason);
        }
        acks.forEach(each -> each.delivery().settle());
        List<PushResult> results = new ArrayList<>(pushes.size());
        List<JsonNode> responses = response.get("results").list();
        for (int i = 0; i < pushes.size(); i++) {
            results.add(Push.result(pushes.get(i), responses.get(acks.size() + i)));
        }
        return Push.requireStored(results);
    }

    private byte[] body() {
        JsonWriter json = new JsonWriter().beginObject().name("requiredLeases").beginArray();
        leases.forEach(json::string);
        json.endArray().name("operations").beginArray();
        for (Acks.Item each : acks) {
            json.beginObject().field("type", "ack").field("consumerGroup", each.delivery().group());
            each.write(json);
            json.endObject();
        }
        if (!pushes.isEmpty()) {
            json.beginObject().field("type", "push").name("items").beginArray();
            pushes.forEach(each -> each.write(json));
            json.endArray().endObject();
        }
        return json.endArray().endObject().bytes();
    }
}
