package io.queenmq.engine.command;

import java.util.List;

/** What became of a cycle. */
public sealed interface CycleOutcome {
    /**
     * It took effect, now or before.
     *
     * @param queue the queue the query reads
     * @param isRepeated whether that was before: this one changed nothing, and its messages are duplicates
     */
    record Done(String queue, List<PushOutcome> pushes, boolean isRepeated, boolean isLeaseReleased)
            implements
                CycleOutcome {}

    /** It took no effect. */
    record Refused(String queue, String error) implements CycleOutcome {}

    /** There is no such query. */
    record UnknownQuery() implements CycleOutcome {}
}
