package io.queenmq.client;

import io.queenmq.client.PushResult.Stored;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Where messages can be pushed to: a queue, or one of its partitions. Immutable and cheap. */
public abstract sealed class PushView<T> permits QueueView, PartitionView {
    final Context context;
    final String queue;
    final @Nullable String partition;

    /** @param partition null when each message may name its own */
    PushView(Context context, String queue, @Nullable String partition) {
        this.context = context;
        this.queue = queue;
        this.partition = partition;
    }

    /**
     * Pushes to this partition, or to the partition {@code Default} of this queue, and returns when the message is stored. A value that
     * is a {@link Message} is pushed as such, here and wherever else values are taken.
     *
     * @throws RejectedException when the server did not store it
     */
    public final Stored push(T value) {
        return store(List.of(Message.from(value))).getFirst();
    }

    /** The same for a message with ids of its own, and a partition unless this is one. */
    public final Stored push(Message<? extends T> message) {
        return store(List.of(message)).getFirst();
    }

    /** Pushes all with one request, in this order, to this partition, or to the partition {@code Default} of this queue. */
    public final List<Stored> pushAll(Collection<? extends T> values) {
        return store(wrapped(values));
    }

    private static List<Message<?>> wrapped(Collection<?> values) {
        List<Message<?>> messages = new ArrayList<>(values.size());
        for (Object each : values) {
            messages.add(Message.from(each));
        }
        return messages;
    }

    /**
     * Pushes all with one request; in a partition they keep this order.
     *
     * @throws RejectedException when at least one was not stored; its results say which
     */
    public final List<Stored> pushMessages(List<? extends Message<? extends T>> messages) {
        return store(messages);
    }

    private List<Stored> store(List<? extends Message<?>> messages) {
        return context.tracing().pushing(queue, headers -> send(items(messages, headers)));
    }

    private List<Push.Item> items(List<? extends Message<?>> messages, Map<String, String> headers) {
        List<Push.Item> items = new ArrayList<>(messages.size());
        for (Message<?> each : messages) {
            items.add(Push.Item.of(queue, partition, each, headers, context.payloads()));
        }
        return items;
    }

    private List<Stored> send(List<Push.Item> items) {
        return Push.requireStored(Push.send(context.wire(), items, null));
    }

    public final CompletableFuture<Stored> pushAsync(T value) {
        return storeAsync(List.of(Message.from(value))).thenApply(List::getFirst);
    }

    public final CompletableFuture<Stored> pushAsync(Message<? extends T> message) {
        return storeAsync(List.of(message)).thenApply(List::getFirst);
    }

    public final CompletableFuture<List<Stored>> pushAllAsync(Collection<? extends T> values) {
        return storeAsync(wrapped(values));
    }

    public final CompletableFuture<List<Stored>> pushMessagesAsync(
            List<? extends Message<? extends T>> messages) {
        return storeAsync(messages);
    }

    /** The trace is that of the calling thread, so it is asked for here; and payloads are as they are now. */
    private CompletableFuture<List<Stored>> storeAsync(List<? extends Message<?>> messages) {
        try {
            return context.tracing().pushing(queue, headers -> {
                List<Push.Item> items = items(messages, headers);
                return context.async(() -> send(items));
            });
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Pushes in the background, many at a time. */
    public final BufferedPushBuilder<T> buffered() {
        return new BufferedPushBuilder<>(context, queue, partition);
    }
}
