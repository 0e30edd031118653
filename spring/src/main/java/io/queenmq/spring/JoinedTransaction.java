package io.queenmq.spring;

import io.queenmq.client.Delivery;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** The transaction of the application on the calling thread, if messages can be part of it. */
interface JoinedTransaction {
    /** Used in applications without transactions. */
    JoinedTransaction NONE = new JoinedTransaction() {
        @Override
        public boolean isActive() {
            return false;
        }

        @Override
        public boolean isOtherActive() {
            return false;
        }

        @Override
        public boolean push(String queue, @Nullable String partition, @Nullable Object value) {
            throw new IllegalStateException("there is no transaction");
        }

        @Override
        public void pushAll(String queue, @Nullable String partition, Collection<?> values) {
            throw new IllegalStateException("there is no transaction");
        }

        @Override
        public void ack(Delivery<?> delivery) {
            throw new IllegalStateException("there is no transaction");
        }

        @Override
        public void afterCommit(Runnable task) {
            throw new IllegalStateException("there is no transaction");
        }
    };

    /** Returns true if a transaction is active. False in callbacks after its commit or rollback. */
    boolean isActive();

    /** Returns true if a transaction is active that messages cannot be part of. False in callbacks after its end. */
    boolean isOtherActive();

    /**
     * @param partition null for the partition of the message
     * @param value a payload or a message
     * @return false if the partition already has a message with its transactionId
     */
    boolean push(String queue, @Nullable String partition, @Nullable Object value);

    /** Pushes all values, in this order, with one statement. */
    void pushAll(String queue, @Nullable String partition, Collection<?> values);

    void ack(Delivery<?> delivery);

    void afterCommit(Runnable task);
}
