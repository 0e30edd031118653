package io.queenmq.engine.batch;

/** The kinds of database calls the engine makes; each has its own batches and its own meters. */
public enum Operation {
    PUSH(BatchLimit.MANY),
    PUSH_BOUNDED(BatchLimit.MANY),
    CATCH_UP(BatchLimit.MANY),
    ACCEPTANCES(BatchLimit.MANY),
    FIND_HASHES(BatchLimit.FEW),
    LEASE(BatchLimit.MANY),
    AUTO_ACK(BatchLimit.MANY),
    FETCH(BatchLimit.FEW),
    OPEN_CURSORS(BatchLimit.FEW),
    EXPIRE(BatchLimit.MANY),
    RELEASE(BatchLimit.MANY),
    RESOLVE(BatchLimit.ONE),
    HAS_PENDING(BatchLimit.MANY),
    SUBSCRIBE(BatchLimit.ONE),
    ACK(BatchLimit.MANY),
    NACK(BatchLimit.MANY),
    HELD(BatchLimit.MANY),
    RENEW(BatchLimit.MANY),
    TRANSACT(BatchLimit.ONE),
    CYCLE(BatchLimit.MANY),
    READ_STATE(BatchLimit.FEW),
    REGISTER_QUERY(BatchLimit.ONE),
    FIND_QUERY(BatchLimit.MANY),
    CONFIGURE(BatchLimit.ONE),
    CREATE_QUEUE(BatchLimit.MANY),
    DELETE_QUEUE(BatchLimit.ONE),
    CATALOG(BatchLimit.ONE),
    REPORT_NUMBERS(BatchLimit.ONE),
    REPORT_PRESENCE(BatchLimit.ONE),
    TOUCH_PARTITIONS(BatchLimit.ONE);

    /** The maximum number of requests in one call. */
    private enum BatchLimit {
        /** One: each request is a transaction. */
        ONE(1),
        /** A few: each takes long, and the first request should not wait for the last one. */
        FEW(32),
        /** No limit: a request costs little compared with the call. */
        MANY(Integer.MAX_VALUE);

        private final int requestsMax;

        BatchLimit(int requestsMax) {
            this.requestsMax = requestsMax;
        }
    }

    private final BatchLimit limit;

    Operation(BatchLimit limit) {
        this.limit = limit;
    }

    /** Returns true if several requests may be in one call. */
    boolean isMerged() {
        return limit != BatchLimit.ONE;
    }

    /** Returns the maximum number of requests in one call, which the configuration can only lower. */
    int requestsMax() {
        return limit.requestsMax;
    }

    /** Returns the name in metrics. */
    public String label() {
        return name().toLowerCase();
    }
}
