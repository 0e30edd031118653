package io.queenmq.client;

import io.queenmq.client.wire.Call;
import io.queenmq.client.wire.Call.Repeat;
import io.queenmq.client.wire.JsonNode;
import io.queenmq.client.wire.Reply;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The view of a consumer group on a queue, a partition or several queues. Immutable and cheap. */
public final class GroupView<T> {
    /** The name by which the server reports consumers without a group. */
    static final String NO_GROUP = "__QUEUE_MODE__";

    /** The time that a response may take in addition to the wait of the pop. */
    private static final Duration ANSWER_GRACE = Duration.ofSeconds(10);

    private final Context context;
    private final Source source;
    private final @Nullable String group;
    private final Type type;

    GroupView(Context context, Source source, @Nullable String group, Type type) {
        this.context = context;
        this.source = source;
        this.group = group;
        this.type = type;
    }

    /** Pops one message without waiting. */
    public Batch<T> pop() {
        return pop(PopOptions.DEFAULT);
    }

    /**
     * Pops messages in order, under a lease. Until the lease ends, no other consumer of the group receives messages of
     * these partitions.
     */
    public Batch<T> pop(PopOptions options) {
        return batch(context.wire().send(call(options, false)));
    }

    /**
     * Pops messages that are finished at delivery. Each is delivered at most once: messages are lost for the group if
     * the response is lost or the application crashes.
     *
     * @throws io.queenmq.client.error.OutcomeUnknownException if no response arrived, and messages may be lost with it;
     *     not every loss is detected, because the JDK repeats a request by itself when a connection breaks
     */
    public Batch<T> popAtMostOnce(PopOptions options) {
        return batch(context.wire().send(call(options, true)));
    }

    public CompletableFuture<Batch<T>> popAsync() {
        return context.async(this::pop);
    }

    public CompletableFuture<Batch<T>> popAsync(PopOptions options) {
        return context.async(() -> pop(options));
    }

    public CompletableFuture<Batch<T>> popAtMostOnceAsync(PopOptions options) {
        return context.async(() -> popAtMostOnce(options));
    }

    /** Creates a consumer, which pops continuously and passes each message to a handler. */
    public ConsumerBuilder<T> consumer() {
        return new ConsumerBuilder<>(this);
    }

    /** @throws IllegalStateException if the client is closed */
    void requireConsumable() {
        context.wire().requireOpen();
        context.payloads().requireReadable(type);
    }

    Context context() {
        return context;
    }

    Call call(PopOptions options, boolean isAtMostOnce) {
        return Call.get(source.path() + options.query(group, isAtMostOnce)).affinity(source.affinity(group))
                .repeat(isAtMostOnce ? Repeat.NEVER : Repeat.READ).timeout(options.waitFor().plus(ANSWER_GRACE))
                .urgent();
    }

    Batch<T> batch(Reply reply) {
        JsonNode response = reply.json();
        String leaseId = response.get("leaseId").text("");
        Lease lease = leaseId.isEmpty() ? Lease.NONE : new Lease(leaseId, reply.from());
        List<Delivery<T>> deliveries = new ArrayList<>();
        for (JsonNode message : response.get("messages").list()) {
            if (!message.isNull()) {
                deliveries.add(new Delivery<>(message, context.payloads(), type, lease));
            }
        }
        return new Batch<>(context, lease, deliveries);
    }

    @Override
    public String toString() {
        return source + (group == null ? "" : " for " + group);
    }
}
