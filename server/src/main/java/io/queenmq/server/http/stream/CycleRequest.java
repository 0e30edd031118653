package io.queenmq.server.http.stream;

import io.queenmq.engine.command.AckItem;
import io.queenmq.engine.command.PushItem;
import io.queenmq.engine.command.StateOp;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The contents of a cycle request.
 *
 * @param problem reason why a well-formed cycle cannot be executed; null if there is none
 */
record CycleRequest(UUID queryId, UUID partitionId, String group, StateChanges changes, List<PushItem> pushes, Ack ack,
        @Nullable String problem) {

    /** @param requested number of requested changes; of several changes of one key only the last is in the list */
    record StateChanges(List<StateOp> ops, int requested) {}

    /**
     * The acknowledgment of a cycle.
     *
     * @param item null if nothing is acknowledged
     * @param count number of acknowledged messages as reported by the runner
     */
    record Ack(@Nullable AckItem item, long count, boolean isLeaseKept) {
        /** Returns true if the acknowledged message is moved to the dead letters. */
        boolean isDead() {
            return item != null && item.status() == AckItem.Status.DLQ;
        }
    }
}
