package io.queenmq.client;

import io.queenmq.client.PushResult.Stored;
import io.queenmq.client.operator.Operator;
import java.lang.reflect.Type;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client of a Queen cluster of one or more servers. Create one per application and close it at the end: that closes
 * its consumers and flushes its buffers.
 */
public final class Queen implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Queen.class);

    private final Context context;

    Queen(Context context) {
        this.context = context;
    }

    /**
     * Creates a client with default settings. No request is sent.
     *
     * @param urls such as {@code http://localhost:6632}; if a server fails, the next one is used
     */
    public static Queen connect(String... urls) {
        return builder().urls(List.of(urls)).build();
    }

    public static QueenBuilder builder() {
        return new QueenBuilder();
    }

    /**
     * Returns the view of a queue with payloads of this type: {@code String} for JSON strings, {@code byte[]} and
     * {@link Json} for JSON as it is, other types by the codec.
     */
    public <T> QueueView<T> queue(String name, Class<T> type) {
        return new QueueView<>(context, name, type);
    }

    /**
     * Returns the view of a queue with payloads of a generic type, such as a list. The caller must ensure that {@code
     * T} is that type.
     */
    public <T> QueueView<T> queue(String name, Type type) {
        return new QueueView<>(context, name, type);
    }

    /**
     * Returns the view of all queues of a namespace and task, read as one queue. An empty namespace or task matches
     * all.
     */
    public <T> FilterView<T> queuesOf(String namespace, String task, Class<T> type) {
        return new FilterView<>(context, new Source.Filter(namespace, task), type);
    }

    /**
     * Acknowledges and pushes in one transaction. It takes effect completely or not at all, and only while the leases
     * of the acknowledged messages are valid.
     *
     * @return the results of the pushes, in order
     * @throws io.queenmq.client.error.TransactionAbortedException if nothing took effect
     * @throws io.queenmq.client.error.OutcomeUnknownException if the outcome is unknown
     */
    public List<Stored> transaction(Consumer<Transaction> filling) {
        return new Transaction(context).fill(filling).commit();
    }

    public CompletableFuture<List<Stored>> transactionAsync(Consumer<Transaction> filling) {
        Transaction transaction;
        try {
            transaction = new Transaction(context).fill(filling);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
        return context.async(transaction::commit);
    }

    /**
     * Returns an object that pushes and acknowledges inside the transaction of this connection. The connection must
     * lead to the database of Queen. The caller commits.
     */
    public SqlTransaction within(Connection connection) {
        return new SqlTransaction(context, connection, end -> end.accept(null));
    }

    /**
     * Returns an object that pushes and acknowledges inside the transaction of this connection, and ends the traces of
     * its pushes with that transaction.
     *
     * @param onEnd registers a callback for the end of the transaction, which must be called with null after its commit
     *     and with the reason after its rollback
     */
    public SqlTransaction within(Connection connection, Consumer<Consumer<@Nullable Throwable>> onEnd) {
        return new SqlTransaction(context, connection, onEnd);
    }

    /**
     * Creates a batch from deliveries that another process has popped and converted with {@link Delivery#toJson}. Only
     * transactionId, partitionId, leaseId and consumerGroup are required.
     *
     * @param deliveries all of one lease
     */
    public Batch<Json> resume(List<Json> deliveries) {
        return Batch.of(context, deliveries);
    }

    /**
     * Records a trace event about a message.
     *
     * @param eventType such as {@code info}, {@code error}, {@code step}
     * @param names under which the event can be found, such as the number of a business case
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

    /** Returns the operator functions: configuration, inspection, repair. */
    public Operator operator() {
        return new Operator(context.wire());
    }

    /**
     * Closes all consumers of this client concurrently, then its buffers, to which handlers may push until then, and
     * then the connections.
     */
    @Override
    public void close() {
        closeAll(context.running().stream().filter(RunningConsumer.class::isInstance).toList());
        closeAll(List.copyOf(context.running()));
        context.timer().shutdownNow();
        context.wire().close();
    }

    /** Takes as long as the slowest. */
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
            // The remaining consumers and buffers must be closed nevertheless.
            log.error("closing a consumer or buffer of the client failed", e);
        }
    }
}
