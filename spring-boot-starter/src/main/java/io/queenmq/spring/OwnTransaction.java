package io.queenmq.spring;

/** The transaction of the application that the calling thread is in, if there is one that messages can be part of. */
interface OwnTransaction {
    /** For applications that have none. */
    OwnTransaction NONE = new OwnTransaction() {
        @Override
        public boolean isActive() {
            return false;
        }

        @Override
        public boolean push(String queue, String partition, Object value, String transactionId) {
            throw new IllegalStateException("there is no transaction");
        }

        @Override
        public void afterCommit(Runnable task) {
            throw new IllegalStateException("there is no transaction");
        }
    };

    boolean isActive();

    /**
     * @param transactionId null for none
     * @return false when the lane has a message of this transactionId already
     */
    boolean push(String queue, String partition, Object value, String transactionId);

    void afterCommit(Runnable task);
}
