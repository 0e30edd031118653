package io.queenmq.spring;

import io.queenmq.client.Delivery;
import io.queenmq.client.Message;
import io.queenmq.client.PushResult.Queued;
import io.queenmq.client.PushView;
import io.queenmq.client.Queen;
import io.queenmq.client.QueueView;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Pushes messages, and acknowledges them, together with the rows that the application writes. For any thread.
 *
 * <p><b>In a transaction</b> that is active on the application's {@code DataSource}, as inside a method with
 * {@code @Transactional}, the message becomes part of it: it is pushed over the same connection, stored and delivered when the
 * transaction commits, and never was when it is rolled back. Then Queen has to live in that database and the queue has to
 * exist; the partition is locked from the push to the end of the transaction, so push late. What goes wrong is a
 * {@code DataAccessException} and an error of the transaction.
 *
 * <p><b>Everywhere else</b> the message is pushed over HTTP, and is stored when the method returns. That includes callbacks after
 * the end of a transaction, such as a {@code @TransactionalEventListener} after its commit: the transaction cannot be written in
 * any more. So it is in a transaction on
 * another DataSource, in a reactive one, and with {@code queen.join-transactions=false}: that message stays, whatever becomes of the
 * transaction. What goes wrong is a {@link io.queenmq.client.error.QueenException}.
 */
public final class QueenTemplate {
    private final Queen queen;
    private final OwnTransaction transaction;
    private final Meters meters;

    QueenTemplate(Queen queen, OwnTransaction transaction, Meters meters) {
        this.queen = queen;
        this.transaction = transaction;
        this.meters = meters;
    }

    /**
     * Adds a message to the end of a partition.
     *
     * @param value the payload, or a {@link Message} with a transactionId of its own
     * @return false when the partition has a message of its transactionId already
     */
    public boolean push(String queue, String partition, @Nullable Object value) {
        return store(queue, partition, value);
    }

    /** The same for a message that names its partition itself. */
    public boolean push(String queue, Message<?> message) {
        return store(queue, null, message);
    }

    /**
     * Adds a message to the end of a partition, unless the partition has a message of this transactionId already.
     *
     * @param transactionId something that names the message for good, such as the number of an order
     * @return false when it has
     */
    public boolean push(String queue, String partition, @Nullable Object value, @Nullable String transactionId) {
        return store(queue, partition,
                transactionId == null ? value : Message.from(value).transactionId(transactionId));
    }

    /** Adds all to the end of a partition, in this order: over HTTP with one request. */
    public void pushAll(String queue, String partition, Collection<?> values) {
        if (values.isEmpty()) {
            return;
        }
        if (transaction.isActive()) {
            values.forEach(value -> transaction.push(queue, partition, value));
            countAfterCommit(queue, values.size());
            return;
        }
        queen.queue(queue, Object.class).partition(partition).pushAll(List.copyOf(values));
        meters.pushed(queue, "http", values.size());
    }

    /**
     * The message is done when the transaction commits, together with the rows and messages of that transaction; when it is rolled
     * back, it is not. If the lease was lost by then, the commit fails. A listener still returns as usual.
     *
     * @throws IllegalStateException outside of a transaction, where to return from the listener is to acknowledge
     */
    public void ack(Delivery<?> delivery) {
        if (!transaction.isActive()) {
            throw new IllegalStateException("cannot acknowledge " + delivery
                    + ": there is no transaction on the application's DataSource, or the transaction has ended");
        }
        transaction.ack(delivery);
    }

    private boolean store(String queue, @Nullable String partition, @Nullable Object value) {
        if (transaction.isActive()) {
            boolean isNew = transaction.push(queue, partition, value);
            countAfterCommit(queue, 1);
            return isNew;
        }
        QueueView<Object> view = queen.queue(queue, Object.class);
        PushView<Object> target = partition == null ? view : view.partition(partition);
        boolean isNew = target.push(Message.from(value)) instanceof Queued;
        meters.pushed(queue, "http", 1);
        return isNew;
    }

    private void countAfterCommit(String queue, int messages) {
        if (meters != Meters.NONE) {
            transaction.afterCommit(() -> meters.pushed(queue, "transaction", messages));
        }
    }
}
