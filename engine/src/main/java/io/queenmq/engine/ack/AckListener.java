package io.queenmq.engine.ack;

import io.queenmq.engine.command.AckOutcome;

import io.queenmq.engine.reply.Failure;

/** Receives the outcomes of the items of one request. Called on the engine loop. */
public interface AckListener {
    /** Sets the outcome of the item at this index. */
    void decide(int index, AckOutcome outcome);

    /** Fails the request because PostgreSQL is unavailable. The outcome of the undecided items is unknown. */
    void fail(Failure failure);
}
