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

/** What one group of consumers has of a queue, a partition, or several queues. Immutable and cheap. */
public final class GroupView<T> {
    /** How the server calls those who read without a group. */
    static final String NO_GROUP = "__QUEUE_MODE__";

    /** On top of the time a pop may wait. */
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

    /** One message if there is one, without waiting. */
    public Batch<T> pop() {
        return pop(PopOptions.DEFAULT);
    }

    /** What there is, in order and under a lease: nobody else of the group gets messages of these partitions until it ends. */
    public Batch<T> pop(PopOptions options) {
        return batch(context.wire().send(call(options, false)));
    }

    /**
     * Messages that count as done when they are handed out. Each is delivered at most once: what is lost on the way, or by
     * a crash of this application, is lost for the group.
     *
     * @throws io.queenmq.client.error.OutcomeUnknownException when no answer came, and messages may be lost with it; not
     *     every loss is noticed, because the JDK asks again by itself when a connection breaks
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

    /** Pops all the time and hands each message to a handler. */
    public ConsumerBuilder<T> consumer() {
        return new ConsumerBuilder<>(this);
    }

    /** @throws IllegalStateException when the client is closed */
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
        JsonNode answer = reply.json();
        String leaseId = answer.get("leaseId").text("");
        Lease lease = leaseId.isEmpty() ? Lease.NONE : new Lease(leaseId, reply.from());
        List<Delivery<T>> deliveries = new ArrayList<>();
        for (JsonNode message : answer.get("messages").list()) {
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
