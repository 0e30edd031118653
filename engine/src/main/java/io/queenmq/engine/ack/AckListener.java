package io.queenmq.engine.ack;

import io.queenmq.engine.command.AckOutcome;

import io.queenmq.engine.reply.Failure;

/** Who wants to know what became of the items of one request. Called on the engine loop. */
public interface AckListener {
    /** The outcome of the item at this index. */
    void decide(int index, AckOutcome outcome);

    /** PostgreSQL could not be reached: nobody can say what became of the items that were not decided. */
    void fail(Failure failure);
}
