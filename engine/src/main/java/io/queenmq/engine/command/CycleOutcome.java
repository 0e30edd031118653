package io.queenmq.engine.command;

import java.util.List;

/** The outcome of a cycle. */
public sealed interface CycleOutcome {
    /**
     * The cycle took effect, now or before.
     *
     * @param queue the queue that the query reads
     * @param isRepeated true if it took effect before; then this request changed nothing and its messages are duplicates
     */
    record Done(String queue, List<PushOutcome> pushes, boolean isRepeated,
            boolean isLeaseReleased) implements CycleOutcome {}

    /** The cycle took no effect. */
    record Refused(String queue, String error) implements CycleOutcome {}

    /** The query does not exist. */
    record UnknownQuery() implements CycleOutcome {}
}
