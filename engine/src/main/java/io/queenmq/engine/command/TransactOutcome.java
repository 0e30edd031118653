package io.queenmq.engine.command;

import java.util.List;

/** The answer to a transaction. */
public sealed interface TransactOutcome {
    /** Everything took effect; one result per operation, in order. */
    record Committed(List<Result> results) implements TransactOutcome {}

    /** Nothing took effect. */
    record Aborted(String error) implements TransactOutcome {}

    /** What became of one operation. */
    sealed interface Result {
        record Pushed(PushOutcome outcome) implements Result {}

        record Acked(AckOutcome outcome) implements Result {}
    }
}
