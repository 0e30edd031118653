package io.queenmq.engine.push;

import io.queenmq.engine.catalog.Catalog;
import io.queenmq.engine.command.PushCommand;
import io.queenmq.engine.command.PushItem;
import io.queenmq.engine.command.PushOutcome;
import io.queenmq.engine.numbers.Numbers;
import io.queenmq.engine.numbers.PushRefusal;
import io.queenmq.engine.push.PendingPush.Origin;
import io.queenmq.engine.push.SpoolGateway.Decision;
import io.queenmq.engine.queue.Queue;
import io.queenmq.engine.reply.Failure;
import io.queenmq.engine.reply.Reply;
import io.queenmq.engine.time.Timers;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The entry of pushes: enqueues each message in its partition, where {@link PushTurns} stores it, or appends it to the spool
 * while PostgreSQL is unavailable. Owned by the engine loop.
 */
public final class Pushes {
    private final Catalog catalog;
    private final PushPartitions partitions;
    private final SpoolGateway spool;
    private final Numbers numbers;
    private final Timers timers;
    private final HeldPushes held;

    public Pushes(Catalog catalog, PushPartitions partitions, SpoolGateway spool, Numbers numbers, Timers timers) {
        this.catalog = catalog;
        this.partitions = partitions;
        this.spool = spool;
        this.numbers = numbers;
        this.timers = timers;
        this.held = new HeldPushes(spool, timers);
        spool.onDecisionChange(this::releaseHeld);
        catalog.onChange(this::onQueueChanged);
    }

    /** Handles a request. All its messages are enqueued before the first of their partitions is offered to a turn. */
    public void accept(PushCommand command) {
        boolean isSpoolChecked = spool.isInUse() || !held.isEmpty();
        if (catalog.maintenance().isPushOff() && !isSpoolChecked) {
            command.items().forEach(item -> numbers.of(item.queue()).refused(PushRefusal.MAINTENANCE,
                    Failure.Maintenance.OF_PUSH.message()));
            command.reply().fail(Failure.Maintenance.OF_PUSH);
            return;
        }
        PushTally tally = new PushTally(command, numbers.pushRequested(), numbers);
        long nowNs = timers.nowNs();
        Set<PushPartition> entered = new LinkedHashSet<>();
        Map<String, List<PendingPush>> ofUnknownQueues = new LinkedHashMap<>(0);
        for (int i = 0; i < command.items().size(); i++) {
            PendingPush pending = new PendingPush(command.items().get(i), Origin.CLIENT, nowNs, tally, i);
            switch (isSpoolChecked ? held.decide(pending.item()) : Decision.STORE) {
                case STORE -> enqueue(pending, entered, ofUnknownQueues);
                case WAIT -> held.add(pending);
                case SPOOL -> spool(pending);
                case REJECT -> pending.unavailable(spool.rejection());
            }
        }
        entered.forEach(partitions::offerToPushes);
        ofUnknownQueues.forEach(this::createQueue);
    }

    /**
     * Enqueues a message that was accepted before, after those of its partition that were enqueued before it. It is answered
     * when it is stored or turns out to be a duplicate, or with Failed when it is rejected for good. It never times out.
     */
    public void acceptSpooled(Queue queue, PushItem item, SpooledPush spooled, Reply<PushOutcome> reply) {
        PushCommand command = new PushCommand(List.of(item),
                Reply.of(outcomes -> reply.succeed(outcomes.getFirst()), reply::fail));
        PushPartition partition = partitions.of(queue, item.partition());
        partition.add(PendingPush.ofSpool(item, spooled, timers.nowNs(), new PushTally(command, 0, numbers)));
        partitions.offerToPushes(partition);
    }

    /** Enqueues pushes in the partitions that have their names now, in their order. */
    void enqueue(List<PendingPush> pushes) {
        Set<PushPartition> entered = new LinkedHashSet<>();
        Map<String, List<PendingPush>> ofUnknownQueues = new LinkedHashMap<>(0);
        pushes.forEach(pending -> enqueue(pending, entered, ofUnknownQueues));
        entered.forEach(partitions::offerToPushes);
        ofUnknownQueues.forEach(this::createQueue);
    }

    private void enqueue(PendingPush pending, Set<PushPartition> entered,
            Map<String, List<PendingPush>> ofUnknownQueues) {
        Queue queue = catalog.find(pending.item().queue());
        if (queue == null) {
            ofUnknownQueues.computeIfAbsent(pending.item().queue(), _ -> new ArrayList<>()).add(pending);
        } else {
            entered.add(partitions.enqueue(queue, pending));
        }
    }

    private void createQueue(String name, List<PendingPush> pushes) {
        catalog.require(name, Reply.of(queue -> {
            Set<PushPartition> entered = new LinkedHashSet<>();
            pushes.forEach(pending -> entered.add(partitions.enqueue(queue, pending)));
            entered.forEach(partitions::offerToPushes);
        }, failure -> pushes.forEach(pending -> spoolOrFail(pending, failure))));
    }

    private void onQueueChanged(String name) {
        Queue queue = catalog.find(name);
        if (queue != null) {
            partitions.dropWindows(queue);
        }
    }

    private void releaseHeld() {
        for (HeldPushes.Released released : held.release()) {
            switch (released.decision()) {
                case STORE -> enqueue(released.pushes());
                case SPOOL -> released.pushes().forEach(this::spool);
                case REJECT -> released.pushes().forEach(pending -> pending.unavailable(spool.rejection()));
                case WAIT -> throw new IllegalStateException("a released push cannot be held again");
            }
        }
    }

    /**
     * Ends the wait of a push that could not be stored, or of which it is unknown whether it was: appends it to the spool, or
     * fails it. Every push queued after it in its partition must be spooled or failed as well, so that none overtakes it.
     */
    void spoolOrFail(PendingPush pending, Failure failure) {
        if (spool.accepts(failure)) {
            spool(pending);
        } else {
            pending.unavailable(failure);
        }
    }

    private void spool(PendingPush pending) {
        spool.append(pending.item(), pending.attemptBase(), Reply.of(pending::buffered, pending::unavailable));
    }
}
