package io.queenmq.client;

import static java.util.Objects.requireNonNullElse;

import io.queenmq.client.Acks.Item;
import io.queenmq.client.Acks.ItemResult;
import io.queenmq.client.error.QueenException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the acknowledgments of one popped batch, one request at a time. A failed message ends the lease of its
 * partition, so earlier acknowledgments must be stored first. Completed messages are collected for up to 50 ms and sent
 * with one request. Thread-safe.
 */
final class AckBuffer {
    private static final Logger log = LoggerFactory.getLogger(AckBuffer.class);
    private static final Duration DELAY_MAX = Duration.ofMillis(50);

    private final Context context;
    private final Consumer<Delivery<?>> onLost;
    private final BiConsumer<Delivery<?>, String> onDeadLettered;
    private final Supplier<Duration> retryFor;
    private final ReentrantLock sending = new ReentrantLock();
    private final ReentrantLock buffering = new ReentrantLock();
    private List<Item> buffered = new ArrayList<>();
    private @Nullable Future<?> flush;

    /**
     * @param onLost called with each delivery whose acknowledgment arrived after its lease was lost
     * @param onDeadLettered called with each dead-lettered delivery and its reason
     * @param retryFor how long a request is retried while no server responds
     */
    AckBuffer(Context context, Consumer<Delivery<?>> onLost, BiConsumer<Delivery<?>, String> onDeadLettered,
            Supplier<Duration> retryFor) {
        this.context = context;
        this.onLost = onLost;
        this.onDeadLettered = onDeadLettered;
        this.retryFor = retryFor;
    }

    /** Adds an item that is sent within 50 ms. */
    void add(Item item) {
        buffering.lock();
        try {
            buffered.add(item);
            if (flush == null) {
                flush = context.timer().schedule(() -> context.threads().execute(this::send), DELAY_MAX.toMillis(),
                        TimeUnit.MILLISECONDS);
            }
        } catch (RejectedExecutionException e) {
            log.debug("client closed while a message was being handled");
        } finally {
            buffering.unlock();
        }
    }

    /** Sends all buffered items and then these. Returns the results of these. */
    List<ItemResult> send(Item... last) {
        sending.lock();
        try {
            List<Item> items = takeBuffered();
            items.addAll(List.of(last));
            return sendAll(items).subList(items.size() - last.length, items.size());
        } finally {
            sending.unlock();
        }
    }

    private List<Item> takeBuffered() {
        buffering.lock();
        try {
            List<Item> taken = buffered;
            buffered = new ArrayList<>();
            if (flush != null) {
                flush.cancel(false);
                flush = null;
            }
            return taken;
        } finally {
            buffering.unlock();
        }
    }

    private List<ItemResult> sendAll(List<Item> items) {
        try {
            List<ItemResult> responses = Acks.send(context.wire(), items, retryFor.get());
            for (int i = 0; i < items.size(); i++) {
                switch (responses.get(i).result()) {
                    case AckResult.LeaseLost lost -> onLost.accept(items.get(i).delivery());
                    case AckResult.DeadLettered dead -> onDeadLettered.accept(items.get(i).delivery(),
                            requireNonNullElse(items.get(i).reason(), "no reason"));
                    case AckResult.Accepted accepted -> {
                    }
                }
            }
            return responses;
        } catch (QueenException e) {
            // The outcome is unknown. If the request was not executed, the lease expires and the messages are
            // redelivered.
            log.warn("acknowledging {} messages failed, they are redelivered if the servers did not receive it: {}",
                    items.size(), e.getMessage());
            ItemResult none = new ItemResult(new AckResult.LeaseLost(String.valueOf(e.getMessage())), true);
            return items.stream().map(item -> none).toList();
        }
    }
}
