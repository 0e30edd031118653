package io.queenmq.engine.unit;

import io.queenmq.engine.ack.AckHolder;
import io.queenmq.engine.ack.AckListener;
import io.queenmq.engine.command.PushItem;
import io.queenmq.engine.push.PushBundle;
import java.util.List;

/** One attempt to execute a unit of work: the messages it pushes, and the acks whose leases were found. */
public abstract class UnitOfWork implements AckListener {
    private final PushBundle bundle;
    private final long sinceNs;
    private final long epoch;
    private List<AckHolder> acks = List.of();

    /**
     * @param sinceNs when the request arrived
     * @param epoch of the database history in which the attempt begins
     */
    protected UnitOfWork(List<PushItem> pushes, long sinceNs, long epoch) {
        this.bundle = new PushBundle(pushes, sinceNs);
        this.sinceNs = sinceNs;
        this.epoch = epoch;
    }

    public final PushBundle bundle() {
        return bundle;
    }

    public final long sinceNs() {
        return sinceNs;
    }

    /** Returns the epoch of the database history in which leases and duplicates were found. */
    public final long epoch() {
        return epoch;
    }

    public final List<AckHolder> acks() {
        return acks;
    }

    public final void setAcks(List<AckHolder> acks) {
        this.acks = acks;
        bundle.setAcknowledged(AckHolder.partitionIds(acks));
    }
}
