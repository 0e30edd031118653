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
 * @param opCount number of requested state changes; of several changes of one key only the last counts
 * @param ack null if nothing is acknowledged
 * @param ackCount number of acknowledged messages as reported by the runner
 * @param problem reason why a well-formed cycle cannot be executed; null if there is none
 */
record CycleRequest(UUID queryId, UUID partitionId, String group, List<StateOp> ops, int opCount, List<PushItem> pushes,
        @Nullable AckItem ack, long ackCount, boolean isLeaseKept, @Nullable String problem) {

    /** Returns true if the acknowledged message is moved to the dead letters. */
    boolean isDead() {
        return ack != null && ack.status() == AckItem.Status.DLQ;
    }
}
