package io.queenmq.spring;

import io.queenmq.client.Delivery;
import org.jspecify.annotations.Nullable;

/** The transaction of the application that the calling thread is in, if there is one that messages can be part of. */
interface OwnTransaction {
    /** For applications that have none. */
    OwnTransaction NONE = new OwnTransaction() {
        @Override
        public boolean isActive() {
            return false;
        }

        @Override
        public boolean push(String queue, @Nullable String partition, @Nullable Object value) {
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

    /** Returns whether there is one that has not ended. False in callbacks after its commit or rollback. */
    boolean isActive();

    /**
     * @param partition null for the one that the message names
     * @param value a payload or a message
     * @return false when the partition has a message of this transactionId already
     */
    boolean push(String queue, @Nullable String partition, @Nullable Object value);

    void ack(Delivery<?> delivery);

    void afterCommit(Runnable task);
}
