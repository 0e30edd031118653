package io.queenmq.engine.push;

import io.queenmq.engine.command.PushItem;

import io.queenmq.engine.reply.Failure;
import io.queenmq.engine.reply.Reply;
import java.util.UUID;

/**
 * Where messages go that PostgreSQL cannot take now. The push room asks it which way a message goes, and hands over those
 * that would otherwise be told that PostgreSQL is away. Called on the engine loop.
 */
public interface Refuge {
    /** Which way a message goes. */
    enum Course {
        /** Into its partition. */
        STORE,
        /** Here. */
        TAKE,
        /** Not yet: earlier messages of its partition are in the spool and will be stored within moments. */
        WAIT,
        /** Nowhere: there is no room here, and in its partition it would overtake others or an operator keeps it out. */
        REFUSE
    }

    /** Nothing is ever taken. */
    Refuge NONE = new Refuge() {
        @Override
        public boolean isInUse() {
            return false;
        }

        @Override
        public boolean isOpen() {
            return false;
        }

        @Override
        public boolean isBehind(String queue, String partition) {
            return false;
        }

        @Override
        public Course courseOf(PushItem item, boolean mayWait) {
            return Course.STORE;
        }

        @Override
        public Failure refusal() {
            throw new IllegalStateException("nobody is refused");
        }

        @Override
        public void take(PushItem item, long attemptBase, Reply<UUID> reply) {
            throw new IllegalStateException("nothing is taken");
        }
    };

    /** Whether there may be a message that does not go straight into its partition. Asked once for each request. */
    boolean isInUse();

    /** Whether messages are taken at this moment. */
    boolean isOpen();

    /** Whether messages of this partition may be here, so that others have to go behind them. */
    boolean isBehind(String queue, String partition);

    /** @param mayWait false if the message has waited long enough; the result is never {@link Course#WAIT} then */
    Course courseOf(PushItem item, boolean mayWait);

    /** Why messages are refused. */
    Failure refusal();

    /**
     * Takes a message, which is accepted when the reply succeeds: with the id of its partition, or null when its queue is not
     * known yet.
     *
     * @param attemptBase the offset at which a call whose outcome is unknown may have stored the message; see {@link PendingPush#attemptBase}
     */
    void take(PushItem item, long attemptBase, Reply<UUID> reply);
}
