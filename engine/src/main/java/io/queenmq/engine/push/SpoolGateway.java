package io.queenmq.engine.push;

import io.queenmq.engine.command.PushItem;
import io.queenmq.engine.reply.Failure;
import io.queenmq.engine.reply.Reply;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The interface of the spool for pushes. The spool stores messages while PostgreSQL is unavailable. The implementation is in the
 * package of the spool, which depends on this one. Called on the engine loop.
 */
public interface SpoolGateway {
    /** The destination of a message. */
    enum Decision {
        /** In its partition. */
        STORE,
        /** In the spool. */
        SPOOL,
        /** Not yet decided: earlier messages of its partition are in the spool and will be stored within moments. */
        WAIT,
        /** Nowhere: the spool is full, and in its partition the message would overtake others, or pushes are switched off. */
        REJECT
    }

    /** A server without a spool. */
    SpoolGateway NONE = new SpoolGateway() {
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
        public Decision decide(PushItem item, boolean mayWait) {
            return Decision.STORE;
        }

        @Override
        public Failure rejection() {
            throw new IllegalStateException("a server without a spool rejects no message");
        }

        @Override
        public void append(PushItem item, long attemptBase, Reply<@Nullable UUID> reply) {
            throw new IllegalStateException("a server without a spool appends no message");
        }

        @Override
        public void onDecisionChange(Runnable listener) {}
    };

    /** Returns true if some messages may not be stored in their partition right away. Called once for each request. */
    boolean isInUse();

    /** Returns true if the spool accepts messages now. */
    boolean isOpen();

    /** Returns true if a push that fails this way is appended to the spool instead. */
    default boolean accepts(Failure failure) {
        return failure instanceof Failure.Unavailable && isOpen();
    }

    /** Returns true if the spool may contain messages of this partition. Later messages must not overtake them. */
    boolean isBehind(String queue, String partition);

    /** @param mayWait false if the message has waited long enough; the result is never {@link Decision#WAIT} then */
    Decision decide(PushItem item, boolean mayWait);

    /** Returns the failure of messages that are rejected. */
    Failure rejection();

    /**
     * Appends a message. It is accepted when the reply succeeds, with the id of its partition, or with null if its queue is not
     * known yet.
     *
     * @param attemptBase the offset at which a call whose outcome is unknown may have stored the message; see
     *        {@link PendingPush#attemptBase}
     */
    void append(PushItem item, long attemptBase, Reply<@Nullable UUID> reply);

    /** Sets the listener that is called, in a separate event, when a message that had to wait may be decided differently. */
    void onDecisionChange(Runnable listener);
}
