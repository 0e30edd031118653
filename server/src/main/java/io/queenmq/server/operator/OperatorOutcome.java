package io.queenmq.server.operator;

/** What came of a call for operators. */
public sealed interface OperatorOutcome {
    /** The JSON the routine answered. */
    record Document(String json) implements OperatorOutcome {}

    /** The JSON of a change that is recorded and continues in the background. */
    record InProgress(String json) implements OperatorOutcome {}

    /** What was asked about does not exist. */
    record Missing() implements OperatorOutcome {}

    /** What was asked cannot be done; nothing was changed. */
    record Impossible(String message) implements OperatorOutcome {}
}
