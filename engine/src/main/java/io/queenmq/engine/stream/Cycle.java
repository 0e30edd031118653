package io.queenmq.engine.stream;

import io.queenmq.engine.ack.AckHolder;
import io.queenmq.engine.command.AckOutcome;
import io.queenmq.engine.command.CycleCommand;
import io.queenmq.engine.command.PushItem;
import io.queenmq.engine.command.StateOp;
import io.queenmq.engine.reply.Failure;
import io.queenmq.engine.unit.UnitOfWork;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One attempt to execute a cycle. Owned by the engine loop. */
final class Cycle extends UnitOfWork {
    private final CycleCommand command;
    private @Nullable String sourceQueue;
    private @Nullable String refusal;

    /**
     * @param sinceNs when the request arrived
     * @param epoch of the database history in which the attempt begins
     */
    Cycle(CycleCommand command, long sinceNs, long epoch) {
        super(command.pushes(), sinceNs, epoch);
        this.command = command;
    }

    CycleCommand command() {
        return command;
    }

    /** Returns the queue that the query reads. Must be called after {@link #setSourceQueue}. */
    String sourceQueue() {
        return Objects.requireNonNull(sourceQueue);
    }

    void setSourceQueue(String sourceQueue) {
        this.sourceQueue = sourceQueue;
    }

    /** Returns the partition whose state it changes, and those it pushes to. */
    List<UUID> partitions() {
        List<UUID> partitions = new ArrayList<>(List.of(command.partitionId()));
        bundle().partitions().forEach(partition -> partitions.add(partition.id()));
        return partitions;
    }

    /** Returns true if it has no ack. */
    boolean isFlush() {
        return command.ack() == null;
    }

    /** Returns the lease under which it acknowledges, and the message; null if there is none. */
    @Nullable
    AckHolder ack() {
        return acks().isEmpty() ? null : acks().getFirst();
    }

    /** Returns true if it cannot take effect any more. Its call only determines whether it took effect before. */
    boolean isTooLate() {
        return !isFlush() && ack() == null;
    }

    /** Called if the message was finished before, or no lease was found for it. */
    @Override
    public void decide(int position, AckOutcome outcome) {
        refusal = outcome.error();
    }

    @Override
    public void fail(Failure failure) {
        refusal = failure.message();
    }

    /** Returns why it cannot be acknowledged. */
    String refusal() {
        return refusal == null ? "the message was acknowledged before, and not by this cycle" : refusal;
    }

    long bytes() {
        long bytes = 0;
        for (StateOp op : command.ops()) {
            bytes += op.key().length() + (op.value() == null ? 0 : op.value().length);
        }
        for (PushItem item : command.pushes()) {
            bytes += item.line().length;
        }
        return bytes;
    }
}
