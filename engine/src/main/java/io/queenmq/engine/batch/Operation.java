package io.queenmq.engine.batch;

/** The kinds of database calls the engine makes; each has its own batches and its own meters. */
public enum Operation {
    PUSH(Company.MANY),
    PUSH_BOUNDED(Company.MANY),
    CATCH_UP(Company.MANY),
    ACCEPTANCES(Company.MANY),
    FIND_HASHES(Company.SOME),
    LEASE(Company.MANY),
    AUTO_ACK(Company.MANY),
    FETCH(Company.SOME),
    OPEN_CURSORS(Company.SOME),
    EXPIRE(Company.MANY),
    RELEASE(Company.MANY),
    RESOLVE(Company.NONE),
    HAS_PENDING(Company.MANY),
    SUBSCRIBE(Company.NONE),
    ACK(Company.MANY),
    NACK(Company.MANY),
    HELD(Company.MANY),
    RENEW(Company.MANY),
    TRANSACT(Company.NONE),
    CYCLE(Company.MANY),
    READ_STATE(Company.SOME),
    REGISTER_QUERY(Company.NONE),
    FIND_QUERY(Company.MANY),
    CONFIGURE(Company.NONE),
    CREATE_QUEUE(Company.MANY),
    DELETE_QUEUE(Company.NONE),
    CATALOG(Company.NONE),
    REPORT_NUMBERS(Company.NONE),
    REPORT_PRESENCE(Company.NONE),
    TOUCH_PARTITIONS(Company.NONE);

    /** How many requests go in one call. */
    private enum Company {
        /** Each is an atomic unit of its own. */
        NONE(1),
        /** What takes long for each of them: the first to come should not have to wait for the work of the last. */
        SOME(32),
        /** What costs little beside the call itself. */
        MANY(Integer.MAX_VALUE);

        private final int requestsMax;

        Company(int requestsMax) {
            this.requestsMax = requestsMax;
        }
    }

    private final Company company;

    Operation(Company company) {
        this.company = company;
    }

    /** Whether many requests go in one call. */
    boolean isMerged() {
        return company != Company.NONE;
    }

    /** The most requests in one call, whatever the configuration allows. */
    int requestsMax() {
        return company.requestsMax;
    }

    /** The name in metrics. */
    public String label() {
        return name().toLowerCase();
    }
}
