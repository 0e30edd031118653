package io.queenmq.client;

import io.queenmq.client.PushResult.Stored;
import io.queenmq.client.wire.Names;
import java.lang.reflect.Type;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A queue whose payloads are of one type. Immutable and cheap: make one whenever it is handy. */
public final class QueueView<T> {
    private final Pushing<T> pushing;
    private final Context context;
    private final String name;
    private final Type type;

    QueueView(Context context, String name, Type type) {
        this.context = context;
        this.name = Names.requireQueue(name);
        this.type = type;
        this.pushing = new Pushing<>(context, name, null);
    }

    public String name() {
        return name;
    }

    /** One lane of this queue. The first push to it creates it. */
    public PartitionView<T> partition(String partition) {
        return new PartitionView<>(context, name, Names.require(partition, "partition"), type);
    }

    /** What a group of consumers has of this queue: each group reads all of it for itself. */
    public GroupView<T> group(String group) {
        return new GroupView<>(context, new Source.Queue(name), Names.require(group, "group"), type);
    }

    /** All who read this queue without a group: they share its messages among them. */
    public GroupView<T> withoutGroup() {
        return new GroupView<>(context, new Source.Queue(name), null, type);
    }

    /**
     * Pushes to the lane {@code Default} and returns when the message is stored.
     *
     * @throws RejectedException when the server did not store it
     */
    public Stored push(T value) {
        return push(Message.of(value));
    }

    /** The same for a message with a lane or ids of its own. */
    public Stored push(Message<T> message) {
        return pushMessages(List.of(message)).getFirst();
    }

    /** Pushes all with one request, in this order, to the lane {@code Default}. */
    public List<Stored> pushAll(Collection<? extends T> values) {
        return pushing.push(Pushing.messages(values));
    }

    /**
     * Pushes all with one request, each to the lane it names; in a lane they keep this order.
     *
     * @throws RejectedException when at least one was not stored; its results say which
     */
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
        return new BufferedPushBuilder<>(context, name, null);
    }
}
