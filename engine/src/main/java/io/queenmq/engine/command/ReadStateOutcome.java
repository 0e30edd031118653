package io.queenmq.engine.command;

import java.util.List;

/** The outcome of reading state. */
public sealed interface ReadStateOutcome {
    /** The rows, by key. */
    record Rows(List<Row> rows) implements ReadStateOutcome {}

    /** The query does not exist. */
    record UnknownQuery() implements ReadStateOutcome {}

    /** The state cannot be read, for the given reason. */
    record Refused(String error) implements ReadStateOutcome {}

    /** @param value JSON as it was sent */
    record Row(String key, byte[] value, long updatedAtMicros) {}
}
