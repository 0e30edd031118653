package io.queenmq.server.redrive;

import io.queenmq.server.lane.StoredLine;
import io.queenmq.server.operator.PayloadView;
import io.queenmq.server.push.PushItem;
import io.queenmq.server.push.TransactionHash;
import java.time.OffsetDateTime;
import java.util.UUID;

/**
 * A dead letter a redrive has claimed, and where it goes.
 *
 * @param line the message as it was stored, without a line break
 */
record DeadLetter(UUID redriveId, UUID partitionId, String group, long offset, OffsetDateTime failedAt,
        String transactionId, byte[] line, String queue, String toQueue, String toPartition) {

    /** What tells it apart from all others. */
    record Key(UUID partitionId, String group, long offset) {}

    Key key() {
        return new Key(partitionId, group, offset);
    }

    /** The message that is pushed: a new one, with the transactionId it always had. */
    PushItem message(UUID id, PayloadView payloads) {
        // In the clear from here on: whether the lane it goes to is encrypted is for the push to say.
        byte[] opened = payloads.opened(line);
        return new PushItem(toQueue, toPartition, id, transactionId, TransactionHash.of(transactionId), null,
                StoredLine.withMessageId(opened, id));
    }
}
