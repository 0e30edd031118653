package io.queenmq.engine.command;

import java.util.List;

/** The answer to a question about state. */
public sealed interface ReadStateOutcome {
    /** The rows, by key. */
    record Rows(List<Row> rows) implements ReadStateOutcome {}

    /** There is no such query. */
    record UnknownQuery() implements ReadStateOutcome {}

    /** The state cannot be told, for a reason of its own. */
    record Refused(String error) implements ReadStateOutcome {}

    /** @param value JSON as it was sent */
    record Row(String key, byte[] value, long updatedAtMicros) {}
}
