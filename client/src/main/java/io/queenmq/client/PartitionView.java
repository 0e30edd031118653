package io.queenmq.client;

import io.queenmq.client.PushResult.Stored;
import io.queenmq.client.wire.Names;
import java.lang.reflect.Type;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** One lane of a queue: what is pushed to it is delivered in that order. Immutable and cheap. */
public final class PartitionView<T> {
    private final Pushing<T> pushing;
    private final Context context;
    private final String queue;
    private final String name;
    private final Type type;

    PartitionView(Context context, String queue, String name, Type type) {
        this.context = context;
        this.queue = queue;
        this.name = name;
        this.type = type;
        this.pushing = new Pushing<>(context, queue, name);
    }

    public String queue() {
        return queue;
    }

    public String name() {
        return name;
    }

    /** What a group of consumers has of this lane alone. */
    public GroupView<T> group(String group) {
        return new GroupView<>(context, new Source.Lane(queue, name), Names.require(group, "group"), type);
    }

    /** All who read this lane without a group. */
    public GroupView<T> withoutGroup() {
        return new GroupView<>(context, new Source.Lane(queue, name), null, type);
    }

    /**
     * Returns when the message is stored.
     *
     * @throws RejectedException when the server did not store it
     */
    public Stored push(T value) {
        return push(Message.of(value));
    }

    /** The same for a message with ids of its own. */
    public Stored push(Message<T> message) {
        return pushMessages(List.of(message)).getFirst();
    }

    /** Pushes all with one request, in this order. */
    public List<Stored> pushAll(Collection<? extends T> values) {
        return pushing.push(Pushing.messages(values));
    }

    /** @throws RejectedException when at least one was not stored; its results say which */
    public List<Stored> pushMessages(List<Message<T>> messages) {
        return pushing.push(messages);
    }

    public CompletableFuture<Stored> pushAsync(T value) {
        return context.async(() -> push(value));
    }

    public CompletableFuture<Stored> pushAsync(Message<T> message) {
        return context.async(() -> push(message));
    }

    public CompletableFuture<List<Stored>> pushAllAsync(Collection<? extends T> values) {
        return context.async(() -> pushAll(values));
    }

    public CompletableFuture<List<Stored>> pushMessagesAsync(List<Message<T>> messages) {
        return context.async(() -> pushMessages(messages));
    }

    /** Pushes in the background, many at a time. */
    public BufferedPushBuilder<T> buffered() {
        return new BufferedPushBuilder<>(context, queue, name);
    }
}
