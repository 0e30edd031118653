package io.queenmq.spring;

import io.queenmq.client.Message;
import io.queenmq.client.PushResult.Queued;
import io.queenmq.client.Queen;
import java.util.Collection;
import java.util.List;

/**
 * Pushes messages, together with the rows that the application writes. For any thread.
 *
 * <p><b>In a transaction</b> that is active on the application's {@code DataSource}, as inside a method with
 * {@code @Transactional}, the message becomes part of it: it is pushed over the same connection, stored and delivered when the
 * transaction commits, and never was when it is rolled back. Then Queen has to live in that database and the queue has to
 * exist; the lane is locked from the push to the end of the transaction, so push late. What goes wrong is a
 * {@code DataAccessException} and an error of the transaction.
 *
 * <p><b>Everywhere else</b> the message is pushed over HTTP, and is stored when the method returns. So it is in a transaction on
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

    /** Adds a message to the end of a lane. */
    public void push(String queue, String partition, Object value) {
        push(queue, partition, value, null);
    }

    /**
     * The same, unless the lane has a message of this transactionId already.
     *
     * @param transactionId something that names the message for good, such as the number of an order
     * @return false when it has
     */
    public boolean push(String queue, String partition, Object value, String transactionId) {
        if (transaction.isActive()) {
            boolean isNew = transaction.push(queue, partition, value, transactionId);
            countAfterCommit(queue, 1);
            return isNew;
        }
        boolean isNew = queen.queue(queue, Object.class).partition(partition)
                .push(Message.of(value).transactionId(transactionId)) instanceof Queued;
        meters.pushed(queue, "http", 1);
        return isNew;
    }

    /** Adds all to the end of a lane, in this order: over HTTP with one request. */
    public void pushAll(String queue, String partition, Collection<?> values) {
        if (values.isEmpty()) {
            return;
        }
        if (transaction.isActive()) {
            values.forEach(value -> transaction.push(queue, partition, value, null));
            countAfterCommit(queue, values.size());
            return;
        }
        queen.queue(queue, Object.class).partition(partition).pushAll(List.copyOf(values));
        meters.pushed(queue, "http", values.size());
    }

    private void countAfterCommit(String queue, int messages) {
        if (meters != Meters.NONE) {
            transaction.afterCommit(() -> meters.pushed(queue, "transaction", messages));
        }
    }
}
