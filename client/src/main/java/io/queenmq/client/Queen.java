package io.queenmq.client;

import io.queenmq.client.PushResult.Stored;
import io.queenmq.client.operator.Operator;
import java.lang.reflect.Type;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client of one Queen, which may be several servers. Make one for the application, and close it at the end: that closes
 * its consumers and flushes its buffers.
 */
public final class Queen implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Queen.class);

    private final Context context;

    Queen(Context context) {
        this.context = context;
    }

    /**
     * A client with default settings. Nothing is sent yet.
     *
     * @param urls as in {@code http://localhost:6632}; with several, another one is asked when one fails
     */
    public static Queen connect(String... urls) {
        return builder().urls(List.of(urls)).build();
    }

    public static QueenBuilder builder() {
        return new QueenBuilder();
    }

    /**
     * A queue with payloads of this type: {@code String} for JSON strings, {@code byte[]} and {@link Json} for JSON as it
     * is, anything else by the codec.
     */
    public <T> QueueView<T> queue(String name, Class<T> type) {
        return new QueueView<>(context, name, type);
    }

    /** A queue with payloads of a generic type, such as a list of something; the caller knows that {@code T} is right. */
    public <T> QueueView<T> queue(String name, Type type) {
        return new QueueView<>(context, name, type);
    }

    /** All queues of a namespace and task, to be read as one; an empty one of the two stands for any. */
    public <T> FilterView<T> queuesOf(String namespace, String task, Class<T> type) {
        return new FilterView<>(context, new Source.Filter(namespace, task), type);
    }

    /**
     * Acknowledges and pushes as one unit: all or nothing, and only while the leases of what is acknowledged are held.
     *
     * @return what the pushed messages have become, in order
     * @throws io.queenmq.client.error.TransactionAbortedException when nothing took effect
     * @throws io.queenmq.client.error.OutcomeUnknownException when nobody knows
     */
    public List<Stored> transaction(Consumer<Transaction> filling) {
        Transaction transaction = new Transaction(context);
        filling.accept(transaction);
        return transaction.commit();
    }

    public CompletableFuture<List<Stored>> transactionAsync(Consumer<Transaction> filling) {
        Transaction transaction = new Transaction(context);
        try {
            filling.accept(transaction);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
        return context.async(transaction::commit);
    }

    /**
     * Pushes and acknowledges inside the transaction that this connection is in. It must lead to the database that Queen
     * lives in; committing it is the caller's business.
     */
    public Within within(Connection connection) {
        return new Within(context, connection);
    }

    /**
     * A batch that another process has popped, from what {@link Delivery#toJson} gave there. Only transactionId, partitionId,
     * leaseId and consumerGroup are needed to say what became of a message.
     *
     * @param deliveries all of one lease
     */
    public Batch<Json> resume(List<Json> deliveries) {
        return Batch.of(context, deliveries);
    }

    /**
     * Notes something about a message, to be found again by the operator.
     *
     * @param eventType such as {@code info}, {@code error}, {@code step}
     * @param names under which it is found again, over all messages of a business case for example
     */
    public void trace(Delivery<?> delivery, String eventType, Object data, String... names) {
        operator().traces().record(delivery.partitionId(), delivery.transactionId(), delivery.group(), eventType,
                context.payloads().encode(data), List.of(names));
    }

    public CompletableFuture<Void> traceAsync(Delivery<?> delivery, String eventType, Object data, String... names) {
        return context.async(() -> {
            trace(delivery, eventType, data, names);
            return null;
        });
    }

    /** What operators do: configure, look, repair. */
    public Operator operator() {
        return new Operator(context.wire());
    }

    /**
     * Closes all consumers of this client, all at once, then its buffers, which handlers may push to until then, and then the
     * connections.
     */
    @Override
    public void close() {
        closeAll(context.running().stream().filter(RunningConsumer.class::isInstance).toList());
        closeAll(List.copyOf(context.running()));
        context.timer().shutdownNow();
        context.wire().close();
    }

    /** Together they take as long as the slowest. */
    private static void closeAll(List<AutoCloseable> running) {
        List<Thread> closing = new ArrayList<>();
        for (AutoCloseable each : running) {
            if (each instanceof RunningConsumer consumer && consumer.isOwnThread()) {
                consumer.close();
            } else {
                closing.add(Thread.ofVirtual().start(() -> closeOne(each)));
            }
        }
        boolean isInterrupted = false;
        for (Thread each : closing) {
            while (each.isAlive()) {
                try {
                    each.join();
                } catch (InterruptedException e) {
                    isInterrupted = true;
                    closing.forEach(Thread::interrupt);
                }
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void closeOne(AutoCloseable running) {
        try {
            running.close();
        } catch (Exception e) {
            // What remains must be closed all the same.
            log.error("not everything could be finished before the client was closed", e);
        }
    }
}
