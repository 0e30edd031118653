package io.queenmq.server.http.stream;

import io.queenmq.engine.command.AckItem;
import io.queenmq.engine.command.PushItem;
import io.queenmq.engine.command.StateOp;
import java.util.List;
import java.util.UUID;

/**
 * A cycle as it was asked for.
 *
 * @param opCount how many changes were asked for; of those of one key only the last counts
 * @param ack null when nothing is acknowledged
 * @param ackCount how many messages the runner says it acknowledges
 * @param problem why it cannot be carried out, though it was asked for in the right form; null when it can
 */
record CycleRequest(UUID queryId, UUID partitionId, String group, List<StateOp> ops, int opCount,
        List<PushItem> pushes, AckItem ack, long ackCount, boolean isLeaseKept, String problem) {

    /** Whether the acknowledged message goes to the dead letters. */
    boolean isDead() {
        return ack != null && ack.status() == AckItem.Status.DLQ;
    }
}
