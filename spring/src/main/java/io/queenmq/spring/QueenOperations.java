package io.queenmq.spring;

import io.queenmq.client.Delivery;
import io.queenmq.client.Message;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Pushes messages and acknowledges them together with the rows that the application writes. Thread-safe.
 *
 * <p><b>In a transaction</b> on the application's {@code DataSource}, such as inside a method with {@code
 * @Transactional}, the message is part of the transaction: it is pushed over the same connection, and stored and
 * delivered when the transaction commits. A rollback discards it. Queen must be in the same database, and the queue
 * must exist. The partition is locked from the push to the end of the transaction, so push late. Failures are a {@code
 * DataAccessException} and an error of the transaction.
 *
 * <p><b>Otherwise</b> the message is pushed over HTTP, and is stored when the method returns. That includes callbacks
 * after the end of a transaction, such as a {@code @TransactionalEventListener} after its commit, because the
 * transaction accepts no more statements. It also applies to transactions on another DataSource, reactive transactions,
 * and {@code queen.join-transactions=false}: the message stays even if the transaction is rolled back. Failures are a
 * {@link io.queenmq.client.error.QueenException}.
 */
public interface QueenOperations {
    /**
     * Appends a message to a partition.
     *
     * @param value the payload, or a {@link Message} with its own transactionId
     * @return false if the partition already has a message with its transactionId
     */
    boolean push(String queue, String partition, @Nullable Object value);

    /** Appends a message that names its partition. */
    boolean push(String queue, Message<?> message);

    /**
     * Appends a message to a partition, unless the partition already has a message with this transactionId.
     *
     * @param transactionId identifies the message permanently, such as the number of an order
     * @return false if the partition already has it
     */
    boolean push(String queue, String partition, @Nullable Object value, @Nullable String transactionId);

    /** Appends all values to a partition, in this order: over HTTP with one request. */
    void pushAll(String queue, String partition, Collection<?> values);

    /**
     * Acknowledges the message when the transaction commits, together with its rows and messages. A rollback discards
     * the acknowledgment. If the lease is lost before, the commit fails. A listener must still return as usual.
     *
     * @throws IllegalStateException outside of a transaction, where returning from the listener acknowledges the
     *     message
     */
    void ack(Delivery<?> delivery);

    /**
     * Returns true if a transaction is active on this thread that a push would not be part of, because it is not on the
     * application's DataSource. The message would stay even if that transaction is rolled back.
     */
    default boolean isDetachedFromTransaction() {
        return false;
    }
}
