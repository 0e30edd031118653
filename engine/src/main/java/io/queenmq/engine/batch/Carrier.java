package io.queenmq.engine.batch;

import io.queenmq.engine.connection.Connection;
import io.queenmq.engine.reply.Failure;
import io.vertx.core.Future;
import java.util.List;

/**
 * Executes many commands of one operation in one database call. Called on the engine loop.
 *
 * @param <C> the command; {@link Batches} owns it from the offer to the call of {@link #settle} or {@link #refuse}. Exactly one
 *        of them is called for each command, except that refuse is also called if settle throws
 * @param <A> the answer of the database for one command
 */
public interface Carrier<C, A> {
    /**
     * Makes the call and returns one answer per command, in their order. Must not decide or complete a command: the call may fail
     * after it took effect, and is then repeated with the same commands or some of them.
     */
    Future<List<A>> carry(Connection connection, List<C> batch);

    /**
     * Returns true if the call did nothing for this command, because another transaction locked its row. The command is retried
     * separately from the others until it times out; then it is refused.
     */
    default boolean isBusy(C command, A answer) {
        return false;
    }

    /** Applies the answer of a successful call to one command. Called at most once for each command, and never after refuse. */
    void settle(C command, A answer);

    /** Fails a command that cannot be executed. Called at most once for each command. */
    void refuse(C command, Failure failure);

    /**
     * Returns true if the command is refused as soon as PostgreSQL is unavailable, because it has an alternative such as the
     * spool.
     */
    default boolean failsWhenUnreachable(C command) {
        return false;
    }

    /** Returns the number of bytes that the command sends. The bytes of one call are bounded. */
    default long bytes(C command) {
        return 0;
    }
}
