package io.queenmq.engine.push;

import io.queenmq.engine.catalog.Catalog;
import io.queenmq.engine.command.PushCommand;
import io.queenmq.engine.command.PushItem;
import io.queenmq.engine.command.PushOutcome;
import io.queenmq.engine.numbers.Numbers;
import io.queenmq.engine.numbers.PushRefusal;
import io.queenmq.engine.push.PendingPush.Origin;
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
import java.util.function.Consumer;

/**
 * Where messages come into the push room and leave it again unstored: into the line of their partition, or, while PostgreSQL
 * is away, to the {@link Refuge}. Owned by the engine loop.
 */
final class PushDoor {
    private final Catalog catalog;
    private final PushPartitions partitions;
    private final Refuge refuge;
    private final Numbers numbers;
    private final Timers timers;
    private final Consumer<PushPartition> onEntered;
    private final HeldPushes held;
    /** The partitions that messages of one request came to: those of a partition are in line together before it moves. */
    private final Set<PushPartition> entered = new LinkedHashSet<>();
    private boolean isGathering;

    /** @param onEntered is told of every partition in whose line somebody new stands */
    PushDoor(Catalog catalog, PushPartitions partitions, Refuge refuge, Numbers numbers, Timers timers,
            Consumer<PushPartition> onEntered) {
        this.catalog = catalog;
        this.partitions = partitions;
        this.refuge = refuge;
        this.numbers = numbers;
        this.timers = timers;
        this.onEntered = onEntered;
        this.held = new HeldPushes(refuge, timers, this::proceed);
    }

    void accept(PushCommand command) {
        boolean isSorted = refuge.isInUse() || !held.isEmpty();
        if (catalog.maintenance().isPushOff() && !isSorted) {
            command.items().forEach(item -> numbers.of(item.queue()).refused(PushRefusal.MAINTENANCE,
                    Failure.Maintenance.OF_PUSH.message()));
            command.reply().fail(Failure.Maintenance.OF_PUSH);
            return;
        }
        PushTally tally = new PushTally(command, numbers.pushRequested(), numbers);
        long nowNs = timers.nowNs();
        List<PushItem> items = command.items();
        Map<String, List<PendingPush>> homeless = new LinkedHashMap<>(0);
        gather(() -> {
            for (int i = 0; i < items.size(); i++) {
                PendingPush pending = new PendingPush(items.get(i), Origin.CLIENT, nowNs, tally, i);
                switch (isSorted ? held.courseOf(items.get(i)) : Refuge.Course.STORE) {
                    case STORE -> {
                        Queue queue = catalog.find(pending.item().queue());
                        if (queue != null) {
                            enter(queue, pending);
                        } else {
                            homeless.computeIfAbsent(pending.item().queue(), _ -> new ArrayList<>()).add(pending);
                        }
                    }
                    case WAIT -> held.add(pending);
                    case TAKE -> handOver(pending);
                    case REFUSE -> pending.unavailable(refuge.refusal());
                }
            }
        });
        homeless.forEach(this::enterNew);
    }

    /** Continues with the messages of one partition that had to wait for the spool, in their order. */
    private void proceed(List<PendingPush> pushes, Refuge.Course course) {
        switch (course) {
            case STORE -> gather(() -> pushes.forEach(this::enter));
            case TAKE -> pushes.forEach(this::handOver);
            case REFUSE -> pushes.forEach(pending -> pending.unavailable(refuge.refusal()));
            case WAIT -> throw new IllegalStateException("held pushes proceed with a decision");
        }
    }

    /** Partitions that messages come to meanwhile move when all of them are in line. */
    private void gather(Runnable entering) {
        isGathering = true;
        try {
            entering.run();
        } finally {
            isGathering = false;
        }
        List<PushPartition> moving = List.copyOf(entered);
        entered.clear();
        moving.forEach(onEntered);
    }

    private void enterNew(String queue, List<PendingPush> homeless) {
        catalog.require(queue,
                Reply.of(created -> gather(() -> homeless.forEach(pending -> enter(created, pending))),
                        failure -> homeless.forEach(pending -> giveUp(pending, failure))));
    }

    /** Brings in a message that was accepted before; it is answered when it is stored, or refused for good. */
    void acceptSpooled(Queue queue, PushItem item, SpooledPush spooled, Reply<PushOutcome> reply) {
        PushCommand command = new PushCommand(List.of(item),
                Reply.of(outcomes -> reply.succeed(outcomes.getFirst()), reply::fail));
        PushPartition partition = partitions.of(queue, item.partition());
        partition.add(PendingPush.ofSpool(item, spooled, timers.nowNs(), new PushTally(command, 0, numbers)));
        onEntered.accept(partition);
    }

    /** Brings in a message, whose queue is created if need be. */
    void enter(PendingPush pending) {
        Queue queue = catalog.find(pending.item().queue());
        if (queue != null) {
            enter(queue, pending);
        } else {
            enterNew(pending.item().queue(), List.of(pending));
        }
    }

    private void enter(Queue queue, PendingPush pending) {
        PushPartition partition = partitions.of(queue, pending.item().partition());
        partition.numbers().pushRequested(pending.request());
        partition.add(pending);
        if (isGathering) {
            entered.add(partition);
        } else {
            onEntered.accept(partition);
        }
    }

    /**
     * PostgreSQL could not be asked, or nobody knows what it did: the message goes to the refuge, or whoever sent it is told
     * so. Nobody may be given up here of whose partition others behind them are not.
     */
    void giveUp(PendingPush pending, Failure failure) {
        if (isRefugeFor(failure)) {
            handOver(pending);
        } else {
            pending.unavailable(failure);
        }
    }

    /** Whether those who fail so go to the refuge. */
    boolean isRefugeFor(Failure failure) {
        return failure instanceof Failure.Unavailable && refuge.isOpen();
    }

    private void handOver(PendingPush pending) {
        refuge.take(pending.item(), pending.attemptBase(), Reply.of(pending::buffered, pending::unavailable));
    }
}
