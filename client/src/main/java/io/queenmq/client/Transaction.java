package io.queenmq.client;

import io.queenmq.client.Acks.Status;
import io.queenmq.client.PushResult.Stored;
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
import org.jspecify.annotations.Nullable;

/**
 * Acknowledgements and pushes that take effect together or not at all, and only while the leases of what is acknowledged
 * are held. Filled by one thread, and sent when the filling is done.
 */
public final class Transaction {
    private static final String PATH = "/api/v1/transaction";

    private final Context context;
    private final List<Acks.Item> acks = new ArrayList<>();
    private final List<Push.Item> pushes = new ArrayList<>();
    private final Set<String> leases = new LinkedHashSet<>();
    private @Nullable Delivery<?> first;

    Transaction(Context context) {
        this.context = context;
    }

    /** This message is done. */
    public Transaction ack(Delivery<?> delivery) {
        return settle(delivery, Status.COMPLETED, null);
    }

    /** This message goes to the dead letters. */
    public Transaction deadLetter(Delivery<?> delivery, String reason) {
        return settle(delivery, Status.DEAD, reason);
    }

    /** Nothing of this happens if the lease of the message is lost, although the message itself stays unfinished. */
    public Transaction requireLeaseOf(Delivery<?> delivery) {
        if (delivery.lease() == Lease.NONE) {
            throw new IllegalArgumentException(delivery + " was popped at most once: it has no lease");
        }
        leases.add(delivery.lease().id());
        first = first == null ? delivery : first;
        return this;
    }

    /** Adds a message to the end of a partition: a payload, or a {@link Message} with ids of its own. */
    public Transaction push(String queue, @Nullable String partition, @Nullable Object value) {
        return add(queue, partition, Message.from(value));
    }

    /** With ids, and a partition, of its own. */
    public Transaction push(String queue, Message<?> message) {
        return add(queue, null, message);
    }

    private Transaction add(String queue, @Nullable String partition, Message<?> message) {
        pushes.add(context.tracing().pushing(Names.requireQueue(queue),
                headers -> Push.Item.of(queue, partition, message, headers, context.payloads())));
        return this;
    }

    private Transaction settle(Delivery<?> delivery, Status status, @Nullable String reason) {
        requireLeaseOf(delivery);
        acks.add(new Acks.Item(delivery, status, reason));
        return this;
    }

    /** What the pushed messages have become, in the order they were pushed. */
    List<Stored> commit() {
        if (acks.isEmpty() && pushes.isEmpty()) {
            return List.of();
        }
        Call call = Call.post(PATH, body()).preferring(first == null ? null : first.lease().giver());
        Reply reply = context.wire().send(call);
        JsonNode answer = reply.json();
        if (!answer.get("success").bool()) {
            String reason = answer.get("error").text("the server gave no reason");
            // The first attempt may have committed, and ended the very leases that the second one asks for.
            throw reply.isRepeated()
                    ? new OutcomeUnknownException(
                            "a transaction was sent again after an answer was lost, and then refused: "
                                    + reason,
                            null)
                    : new TransactionAbortedException(reason);
        }
        acks.forEach(each -> each.delivery().settle());
        List<PushResult> results = new ArrayList<>(pushes.size());
        List<JsonNode> answers = answer.get("results").list();
        for (int i = 0; i < pushes.size(); i++) {
            results.add(Push.result(pushes.get(i), answers.get(acks.size() + i)));
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
