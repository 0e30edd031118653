package io.queenmq.engine.pop;

import io.queenmq.engine.command.PopCommand;
import io.queenmq.engine.command.PopOutcome;
import io.queenmq.engine.config.EngineConfig;
import io.queenmq.engine.numbers.Numbers;
import io.queenmq.engine.pop.GroupPartition.Belief;
import io.queenmq.engine.queue.Queue;
import io.queenmq.engine.reply.Failure;
import io.queenmq.engine.time.Timers;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Pops that wait for a message. Bounded; a deadline ends every wait. Owned by the engine loop. */
final class Parking {
    private static final long LOOK_FOR_GONE_EVERY_NS = 2_000_000_000;

    private final Backlogs backlogs;
    private final Numbers numbers;
    private final Timers timers;
    private final int parkedMax;
    private final Set<Pop> parked = new LinkedHashSet<>();

    Parking(Backlogs backlogs, Numbers numbers, Timers timers, EngineConfig config) {
        this.backlogs = backlogs;
        this.numbers = numbers;
        this.timers = timers;
        this.parkedMax = config.parkedMax();
        forgetGone();
    }

    int count() {
        return parked.size();
    }

    /** How many wait for each queue; those who did not name one wait for none in particular. */
    Map<String, Integer> countByQueue() {
        Map<String, Integer> counts = new HashMap<>();
        for (Pop pop : parked) {
            switch (pop.command().source()) {
                case PopCommand.Source.Partition(var queue, _) -> counts.merge(queue, 1, Integer::sum);
                case PopCommand.Source.Queue(var queue) -> counts.merge(queue, 1, Integer::sum);
                case PopCommand.Source.Filter _ -> {
                }
            }
        }
        return counts;
    }

    /** Counts those who wait; whoever did not name a queue waits for all that are like what it asked for. */
    void attend(Attendance attendance) {
        Map<PopCommand.Source.Filter, Map<String, Integer>> unnamed = new HashMap<>(0);
        for (Pop pop : parked) {
            String group = pop.command().group();
            switch (pop.command().source()) {
                case PopCommand.Source.Partition(var queue, _) -> attendance.waits(queue, group, 1);
                case PopCommand.Source.Queue(var queue) -> attendance.waits(queue, group, 1);
                case PopCommand.Source.Filter filter ->
                    unnamed.computeIfAbsent(filter, _ -> new HashMap<>(2)).merge(group, 1, Integer::sum);
            }
        }
        unnamed.forEach((filter, groups) -> backlogs.namesLike(filter).forEach(queue -> groups
                .forEach((group, count) -> attendance.waits(queue, group, count))));
    }

    /** Whether something has become ready for this pop while it was on its way. */
    boolean hasWork(Pop pop) {
        List<Backlog> where = backlogs.of(pop.command());
        if (pop.command().source() instanceof PopCommand.Source.Partition(_, var name)) {
            Backlog backlog = where.getFirst();
            GroupPartition partition = backlog.isOpen()
                    ? backlog.partitions().get(backlog.queue().partitionId(name))
                    : null;
            return partition != null && partition.belief() == Belief.READY;
        }
        return where.stream().anyMatch(Backlog::hasReady);
    }

    /** Lets a pop wait; false when too many wait already, in which case it was told so. */
    boolean park(Pop pop, long leftNs) {
        if (parked.size() >= parkedMax) {
            pop.command().reply().fail(new Failure.Overloaded("too many pops are waiting"));
            return false;
        }
        List<Backlog> where = backlogs.of(pop.command());
        List<Waiters> lines = pop.command().source() instanceof PopCommand.Source.Partition(_, var partition)
                ? List.of(where.getFirst().waitersOf(partition))
                : where.stream().map(Backlog::waiters).toList();
        pop.park(timers.after(leftNs, () -> answer(pop)), lines);
        parked.add(pop);
        return true;
    }

    /** A queue was created or changed: those who wait for queues like it wait for this one too. */
    void adopt(Queue queue) {
        for (Pop pop : parked) {
            if (pop.command().source() instanceof PopCommand.Source.Filter filter && Backlogs.matches(filter, queue)) {
                pop.join(backlogs.of(queue.name(), pop.command().group()).waiters());
            }
        }
    }

    /** A queue was deleted: pops over a namespace or task no longer wait for it. Pops that name it wait for its creation. */
    void abandon(String queueName) {
        for (Backlog backlog : List.copyOf(backlogs.ofQueue(queueName))) {
            for (Pop pop : backlog.waiters().all()) {
                if (pop.command().source() instanceof PopCommand.Source.Filter) {
                    pop.leave(backlog.waiters());
                }
            }
            backlogs.dropIfAbsent(backlog);
        }
    }

    void answerAll() {
        for (Pop pop : List.copyOf(parked)) {
            answer(pop);
        }
    }

    /** The next one in line, who waits no longer; null when nobody is. */
    Pop takeNext(Waiters waiters) {
        Pop pop = waiters.first();
        while (pop != null && pop.command().isGone().getAsBoolean()) {
            answer(pop);
            pop = waiters.first();
        }
        if (pop != null) {
            unpark(pop);
        }
        return pop;
    }

    private void unpark(Pop pop) {
        parked.remove(pop);
        pop.unpark();
    }

    private void answer(Pop pop) {
        unpark(pop);
        answerEmpty(pop);
    }

    /** Tells a pop that there is nothing. */
    void answerEmpty(Pop pop) {
        if (pop.command().source() instanceof PopCommand.Source.Filter) {
            numbers.poppedNothing(null);
        } else {
            Backlog backlog = backlogs.of(pop.command()).getFirst();
            numbers.poppedNothing(backlog.numbers());
            backlogs.dropIfAbsent(backlog);
        }
        pop.command().reply().succeed(new PopOutcome.Empty());
    }

    /** Clients that hung up while they waited should not fill the parking until their deadline. */
    private void forgetGone() {
        timers.after(LOOK_FOR_GONE_EVERY_NS, () -> {
            for (Pop pop : List.copyOf(parked)) {
                if (pop.command().isGone().getAsBoolean()) {
                    answer(pop);
                }
            }
            forgetGone();
        });
    }
}
