package io.queenmq.server.redrive;

import io.queenmq.server.lane.StoredLine;
import io.queenmq.server.operator.PayloadView;
import io.queenmq.server.push.PushItem;
import io.queenmq.server.push.TransactionHash;
import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.util.UUID;

/**
 * A dead letter a redrive has claimed, and where it goes.
 *
 * @param line the message as it was stored, without a line break
 */
record DeadLetter(UUID redriveId, UUID partitionId, String group, long offset, OffsetDateTime failedAt,
        String transactionId, byte[] line, String queue, String toQueue, String toPartition) {

    /**
     * The message that is pushed. It keeps its transactionId. Its id is made of the dead letter, so that the same redrive
     * carried out twice, because a server died in the middle of it, is recognised in the lane's duplicate window.
     */
    PushItem message(PayloadView payloads) {
        String name = partitionId + "/" + group + "/" + offset + "/" + failedAt.toInstant();
        UUID id = UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
        byte[] data = StoredLine.data(line);
        byte[] moved = payloads.moved(data, queue, toQueue);
        byte[] stored = moved == data ? line : StoredLine.withData(line, moved);
        return new PushItem(toQueue, toPartition, id, transactionId, TransactionHash.of(transactionId), null,
                StoredLine.withMessageId(stored, id));
    }
}
