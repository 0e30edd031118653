package io.queenmq.server.auth;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The part of authentication that is stored in PostgreSQL. All methods block; used by one thread. */
public interface AuthStore extends AutoCloseable {
    /**
     * Returns the revoked tokens, or null if they are still those of the version.
     *
     * @param knownVersion -1 if none is known
     */
    @Nullable
    Revocations revocations(long knownVersion) throws Exception;

    /** Adds the records to the audit log. */
    void record(List<RejectedAction> actions) throws Exception;

    /** Replaces the connection: it may lead to a PostgreSQL that has been replaced. Safe from any thread. */
    default void renew() {}

    @Override
    default void close() {}
}
