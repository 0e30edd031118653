package io.queenmq.engine.command;

import io.queenmq.engine.reply.Reply;
import java.util.List;
import java.util.UUID;

/**
 * A validated cycle: what it changes, pushes and acknowledges takes effect together, or nothing does.
 *
 * @param token what the cycle is recognised by when it is sent again
 * @param ops each key once
 * @param ack the last message that was worked on, COMPLETED or DLQ; null for a flush, which acknowledges nothing
 * @param isLeaseKept whether the runner keeps its lease, to wait on purpose
 * @param host a hash of the client's address, the same at every server; a flush is compared with the reads of this host
 */
public record CycleCommand(UUID queryId, UUID partitionId, String group, UUID token, List<StateOp> ops,
        List<PushItem> pushes, AckItem ack, boolean isLeaseKept, long host,
        Reply<CycleOutcome> reply) implements Command {}
