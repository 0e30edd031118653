package io.queenmq.server.operator;

/** The outcome of a call for operators. */
public sealed interface OperatorOutcome {
    /** The JSON document that the routine returned. */
    record Document(String json) implements OperatorOutcome {}

    /** The JSON of a change that is recorded and continues in the background. */
    record InProgress(String json) implements OperatorOutcome {}

    /** The requested object does not exist. */
    record Missing() implements OperatorOutcome {}

    /** The routine rejected the request. Nothing was changed. */
    record Impossible(String message) implements OperatorOutcome {}
}
