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

/** Implements {@link QueenOperations} with a client, and with the transactions of the application's DataSource. */
public final class QueenTemplate implements QueenOperations {
    private final Queen queen;
    private final JoinedTransaction transaction;
    private final Meters meters;

    QueenTemplate(Queen queen, JoinedTransaction transaction, Meters meters) {
        this.queen = queen;
        this.transaction = transaction;
        this.meters = meters;
    }

    @Override
    public boolean push(String queue, String partition, @Nullable Object value) {
        return store(queue, partition, value);
    }

    @Override
    public boolean push(String queue, Message<?> message) {
        return store(queue, null, message);
    }

    @Override
    public boolean push(String queue, String partition, @Nullable Object value, @Nullable String transactionId) {
        return store(queue, partition,
                transactionId == null ? value : Message.from(value).transactionId(transactionId));
    }

    @Override
    public void pushAll(String queue, String partition, Collection<?> values) {
        if (values.isEmpty()) {
            return;
        }
        if (transaction.isActive()) {
            transaction.pushAll(queue, partition, values);
            countAfterCommit(queue, values.size());
            return;
        }
        queen.queue(queue, Object.class).partition(partition).pushAll(List.copyOf(values));
        meters.pushed(queue, "http", values.size());
    }

    @Override
    public void ack(Delivery<?> delivery) {
        if (!transaction.isActive()) {
            throw new IllegalStateException("cannot acknowledge " + delivery
                    + ": there is no transaction on the application's DataSource, or the transaction has ended");
        }
        transaction.ack(delivery);
    }

    @Override
    public boolean isDetachedFromTransaction() {
        return transaction.isOtherActive();
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
