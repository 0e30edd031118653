package io.queenmq.client;

import io.queenmq.client.PushResult.Stored;
import io.queenmq.client.Tracing.PushTrace;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** A destination of pushes: a queue or one of its partitions. Immutable and cheap. */
public abstract sealed class PushView<T> permits QueueView, PartitionView {
    final Context context;
    final String queue;
    final @Nullable String partition;

    /** @param partition null if each message may name its own */
    PushView(Context context, String queue, @Nullable String partition) {
        this.context = context;
        this.queue = queue;
        this.partition = partition;
    }

    /**
     * Pushes to this partition, or to the partition {@code Default} of this queue. Returns when the message is stored.
     * A value of the type {@link Message} is pushed as that message; this applies to all methods that accept values.
     *
     * @throws RejectedException if the server did not store the message
     */
    public final Stored push(T value) {
        return store(List.of(Message.from(value))).getFirst();
    }

    /** Pushes a message with its own ids, and with its own partition unless this view is one. */
    public final Stored push(Message<? extends T> message) {
        return store(List.of(message)).getFirst();
    }

    /**
     * Pushes all values with one request, in this order, to this partition, or to the partition {@code Default} of this
     * queue.
     */
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
     * Pushes all messages with one request. Messages of one partition keep this order.
     *
     * @throws RejectedException if at least one message was not stored; the exception has the result of each
     */
    public final List<Stored> pushMessages(List<? extends Message<? extends T>> messages) {
        return store(messages);
    }

    private List<Stored> store(List<? extends Message<?>> messages) {
        PushTrace trace = context.tracing().startPush(queue, partition, messages.size());
        try {
            List<Stored> stored = send(items(messages, trace.headers()));
            trace.end(null);
            return stored;
        } catch (RuntimeException e) {
            trace.end(e);
            throw e;
        }
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

    public final CompletableFuture<List<Stored>> pushMessagesAsync(List<? extends Message<? extends T>> messages) {
        return storeAsync(messages);
    }

    /** The trace belongs to the calling thread, and payloads may change after the call. Both are read here. */
    private CompletableFuture<List<Stored>> storeAsync(List<? extends Message<?>> messages) {
        PushTrace trace = context.tracing().startPush(queue, partition, messages.size());
        List<Push.Item> items;
        try {
            items = items(messages, trace.headers());
        } catch (RuntimeException e) {
            trace.end(e);
            return CompletableFuture.failedFuture(e);
        }
        return context.async(() -> send(items)).whenComplete((stored, failure) -> trace.end(cause(failure)));
    }

    private static @Nullable Throwable cause(@Nullable Throwable failure) {
        return failure instanceof CompletionException ? failure.getCause() : failure;
    }

    /** Creates a buffer that pushes in the background. */
    public final BufferedPushBuilder<T> buffered() {
        return new BufferedPushBuilder<>(context, queue, partition);
    }
}
