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

    /** The message that is pushed: a new one, with the transactionId it always had. */
    PushItem message(UUID id, PayloadView payloads) {
        byte[] data = StoredLine.data(line);
        byte[] moved = payloads.moved(data, queue, toQueue);
        byte[] stored = moved == data ? line : StoredLine.withData(line, moved);
        return new PushItem(toQueue, toPartition, id, transactionId, TransactionHash.of(transactionId), null,
                StoredLine.withMessageId(stored, id));
    }
}
