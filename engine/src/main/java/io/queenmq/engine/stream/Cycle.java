package io.queenmq.engine.stream;

import io.queenmq.engine.ack.AckHolder;
import io.queenmq.engine.ack.AckListener;
import io.queenmq.engine.command.AckOutcome;
import io.queenmq.engine.command.CycleCommand;
import io.queenmq.engine.command.PushItem;
import io.queenmq.engine.command.StateOp;
import io.queenmq.engine.push.PushBundle;
import io.queenmq.engine.reply.Failure;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** One cycle on its way: under which lease it acknowledges, and where it pushes. Owned by the engine loop. */
final class Cycle implements AckListener {
    private final CycleCommand command;
    private final long sinceNs;
    private final long epoch;
    private final PushBundle bundle;
    private String sourceQueue;
    private AckHolder holder;
    private String refusal;

    /**
     * @param sinceNs when it came
     * @param epoch of the database history in which it begins
     */
    Cycle(CycleCommand command, long sinceNs, long epoch) {
        this.epoch = epoch;
        this.command = command;
        this.sinceNs = sinceNs;
        this.bundle = new PushBundle(command.pushes(), sinceNs);
    }

    CycleCommand command() {
        return command;
    }

    long sinceNs() {
        return sinceNs;
    }

    /** The epoch in which everything was found that is known of it. */
    long epoch() {
        return epoch;
    }

    PushBundle bundle() {
        return bundle;
    }

    /** The queue the query reads. */
    String sourceQueue() {
        return sourceQueue;
    }

    void setSourceQueue(String sourceQueue) {
        this.sourceQueue = sourceQueue;
    }

    /** The partition whose state it changes, and those it pushes to. */
    List<UUID> partitions() {
        List<UUID> partitions = new ArrayList<>(List.of(command.partitionId()));
        bundle.partitions().forEach(partition -> partitions.add(partition.id()));
        return partitions;
    }

    boolean isFlush() {
        return command.ack() == null;
    }

    /** The lease it acknowledges under, and the message; null when there is none. */
    AckHolder holder() {
        return holder;
    }

    void setHolders(List<AckHolder> holders) {
        holder = holders.isEmpty() ? null : holders.getFirst();
    }

    /** Whether it can take effect at all. If not, all that is left to find out is whether it did before. */
    boolean isHopeless() {
        return !isFlush() && holder == null;
    }

    /** The message was finished before, or no lease was found for it. */
    @Override
    public void decide(int position, AckOutcome outcome) {
        refusal = outcome.error();
    }

    @Override
    public void fail(Failure failure) {
        refusal = failure.message();
    }

    /** Why it cannot be acknowledged. */
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
