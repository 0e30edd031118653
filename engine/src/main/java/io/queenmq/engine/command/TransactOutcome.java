package io.queenmq.engine.command;

import java.util.List;

/** The outcome of a transaction. */
public sealed interface TransactOutcome {
    /** All operations took effect. There is one result per operation, in order. */
    record Committed(List<Result> results) implements TransactOutcome {}

    /** No operation took effect. */
    record Aborted(String error) implements TransactOutcome {}

    /** The result of one operation. */
    sealed interface Result {
        record Pushed(PushOutcome outcome) implements Result {}

        record Acked(AckOutcome outcome) implements Result {}
    }
}
