package io.queenmq.engine.batch;

import io.queenmq.engine.connection.Connection;
import io.queenmq.engine.reply.Failure;
import io.vertx.core.Future;
import java.util.List;

/**
 * How one operation moves many commands with one database call. Called on the engine loop.
 *
 * @param <C> what stands in line; the line owns it from the offer to the one call of {@link #settle} or {@link #refuse}
 * @param <A> what the database says of one of them
 */
public interface Carrier<C, A> {
    /**
     * Makes the call and answers one element per command, in order. Decides nothing: the call may fail after it took
     * effect, and is then made again, with the same commands or some of them.
     */
    Future<List<A>> carry(Connection connection, List<C> batch);

    /**
     * Whether the call did nothing for this command, because somebody else was working on its row at that moment. It is
     * carried again, apart from the others, for a while; then it is refused.
     */
    default boolean isBusy(C command, A answer) {
        return false;
    }

    /** The call was made: does with one command what follows from its answer. Called once for each command. */
    void settle(C command, A answer);

    /** The command cannot be carried. Called once, instead of settle. */
    void refuse(C command, Failure failure);

    /** Whether the command is refused as soon as PostgreSQL is away, because there is another place for it to go. */
    default boolean failsWhenUnreachable(C command) {
        return false;
    }

    /** How many bytes the command sends; one call carries only so many. */
    default long bytes(C command) {
        return 0;
    }
}
