package io.queenmq.engine.command;

import io.queenmq.engine.reply.Reply;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A validated cycle: its state changes, pushes and ack take effect as one unit or not at all.
 *
 * @param token identifies the cycle, so that a repeated request is recognized
 * @param ops the changes of state, each key once
 * @param ack the last processed message, COMPLETED or DLQ; null for a flush, which acknowledges nothing
 * @param isLeaseKept true if the runner keeps its lease in order to wait
 * @param host a hash of the client's address, equal on all servers; a flush is checked against the reads of this host
 */
public record CycleCommand(UUID queryId, UUID partitionId, String group, UUID token, List<StateOp> ops,
        List<PushItem> pushes, @Nullable AckItem ack, boolean isLeaseKept, long host,
        Reply<CycleOutcome> reply) implements Command {}
