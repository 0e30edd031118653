package io.queenmq.client;

import io.queenmq.client.PushResult.Stored;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Where messages can be pushed to: a queue, or one of its lanes. Immutable and cheap. */
public abstract sealed class PushView<T> permits QueueView, PartitionView {
    final Context context;
    final String queue;
    final @Nullable String lane;

    /** @param lane null when each message may name its own */
    PushView(Context context, String queue, @Nullable String lane) {
        this.context = context;
        this.queue = queue;
        this.lane = lane;
    }

    /**
     * Pushes to this lane, or to the lane {@code Default} of this queue, and returns when the message is stored. A value that
     * is a {@link Message} is pushed as such, here and wherever else values are taken.
     *
     * @throws RejectedException when the server did not store it
     */
    public final Stored push(T value) {
        return store(List.of(Message.from(value))).getFirst();
    }

    /** The same for a message with ids of its own, and a lane unless this is one. */
    public final Stored push(Message<? extends T> message) {
        return store(List.of(message)).getFirst();
    }

    /** Pushes all with one request, in this order, to this lane, or to the lane {@code Default} of this queue. */
    public final List<Stored> pushAll(Collection<? extends T> values) {
        List<Message<?>> messages = new ArrayList<>(values.size());
        for (T each : values) {
            messages.add(Message.from(each));
        }
        return store(messages);
    }

    /**
     * Pushes all with one request; in a lane they keep this order.
     *
     * @throws RejectedException when at least one was not stored; its results say which
     */
    public final List<Stored> pushMessages(List<? extends Message<? extends T>> messages) {
        return store(messages);
    }

    private List<Stored> store(List<? extends Message<?>> messages) {
        List<Push.Item> items = new ArrayList<>(messages.size());
        for (Message<?> each : messages) {
            items.add(Push.Item.of(queue, lane, each, context.payloads()));
        }
        return Push.requireStored(Push.send(context.wire(), items, null));
    }

    public final CompletableFuture<Stored> pushAsync(T value) {
        return context.async(() -> push(value));
    }

    public final CompletableFuture<Stored> pushAsync(Message<? extends T> message) {
        return context.async(() -> push(message));
    }

    public final CompletableFuture<List<Stored>> pushAllAsync(Collection<? extends T> values) {
        return context.async(() -> pushAll(values));
    }

    public final CompletableFuture<List<Stored>> pushMessagesAsync(
            List<? extends Message<? extends T>> messages) {
        return context.async(() -> pushMessages(messages));
    }

    /** Pushes in the background, many at a time. */
    public final BufferedPushBuilder<T> buffered() {
        return new BufferedPushBuilder<>(context, queue, lane);
    }
}
