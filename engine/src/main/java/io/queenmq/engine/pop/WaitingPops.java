package io.queenmq.engine.pop;

import io.queenmq.engine.command.PopCommand;
import io.queenmq.engine.config.EngineConfig;
import io.queenmq.engine.pop.GroupPartition.State;
import io.queenmq.engine.queue.Queue;
import io.queenmq.engine.reply.Failure;
import io.queenmq.engine.time.Timers;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Every pop that waits, for any reason. A pop waits either for the end of a call ({@link Awaited}), which the timeouts
 * of calls bound, or for a message until its deadline. It is in state WAITING exactly while it is here. A pop that is
 * woken becomes RUNNABLE and is planned again; no pop is answered here. Owned by the engine loop.
 */
final class WaitingPops {
    private static final long CHECK_CLIENTS_EVERY_NS = 2_000_000_000;

    private final Backlogs backlogs;
    private final PopEvents events;
    private final Timers timers;
    private final int max;
    private final Map<Awaited, ArrayDeque<Pop>> forCall = new HashMap<>();
    private final Map<Pop, MessageWait> forMessage = new LinkedHashMap<>();

    WaitingPops(Backlogs backlogs, PopEvents events, Timers timers, EngineConfig config) {
        this.backlogs = backlogs;
        this.events = events;
        this.timers = timers;
        this.max = config.waitingPopsMax();
        timers.every(CHECK_CLIENTS_EVERY_NS, this::endDisconnected);
    }

    /** Adds a pop that waits for the end of a call. */
    void add(Pop pop, Awaited call) {
        pop.become(PopState.WAITING);
        forCall.computeIfAbsent(call, _ -> new ArrayDeque<>(2)).add(pop);
        count(call, 1);
    }

    /** Removes the first pop that waits for the call; null if there is none. */
    @Nullable
    Pop poll(Awaited call) {
        ArrayDeque<Pop> pops = forCall.get(call);
        if (pops == null) {
            return null;
        }
        Pop first = pops.poll();
        if (pops.isEmpty()) {
            forCall.remove(call);
        }
        count(call, -1);
        first.become(PopState.RUNNABLE);
        return first;
    }

    private static void count(Awaited call, int change) {
        switch (call) {
            case SubscriptionKey _ -> {
            }
            case Backlog backlog -> backlog.countAwaiting(change);
            case GroupPartition partition -> partition.countAwaiting(change);
        }
    }

    /** The subscription could not be recorded. */
    void failed(SubscriptionKey subscription, Failure failure) {
        for (Pop pop = poll(subscription); pop != null; pop = poll(subscription)) {
            pop.failed(failure);
            events.add(pop);
        }
    }

    /** The scan that pops wait for is complete. */
    void scanned(Backlog backlog) {
        for (Pop pop = poll(backlog); pop != null; pop = poll(backlog)) {
            pop.scanned(backlog);
            events.add(pop);
        }
    }

    /** Wakes every pop that waits for the call. */
    void wakeAll(Awaited call) {
        for (Pop pop = poll(call); pop != null; pop = poll(call)) {
            events.add(pop);
        }
    }

    /** Returns whether no further pop may wait for a message. */
    boolean isFull() {
        return forMessage.size() >= max;
    }

    /** Adds a pop that waits for a message until its deadline, and returns where it waits. Must not be called while full. */
    List<Waiters> addForMessage(Pop pop) {
        pop.become(PopState.WAITING);
        List<Backlog> where = backlogs.of(pop.command());
        MessageWait wait = new MessageWait(timers.after(pop.deadlineNs() - timers.nowNs(), () -> end(pop)));
        if (pop.command().source() instanceof PopCommand.Source.Partition(_, var partition)) {
            wait.join(where.getFirst().waitersOf(partition), pop);
        } else {
            where.forEach(backlog -> wait.join(backlog.waiters(), pop));
        }
        forMessage.put(pop, wait);
        return wait.waitsIn;
    }

    /** Returns whether a partition is ready for the pop. Then it must not wait. */
    boolean hasReady(Pop pop) {
        List<Backlog> where = backlogs.of(pop.command());
        if (pop.command().source() instanceof PopCommand.Source.Partition(_, var name)) {
            Backlog backlog = where.getFirst();
            GroupPartition partition = backlog.isOpen()
                    ? backlog.partitions().get(backlog.existingQueue().partitionId(name))
                    : null;
            return partition != null && partition.state() == State.READY;
        }
        return where.stream().anyMatch(Backlog::hasReady);
    }

    /** Removes the pop whose turn is next among those that wait for the same messages; null if there is none. */
    @Nullable
    Pop poll(Waiters waiters) {
        Pop pop = waiters.first();
        while (pop != null && pop.command().isGone().getAsBoolean()) {
            end(pop);
            pop = waiters.first();
        }
        if (pop != null) {
            remove(pop);
        }
        return pop;
    }

    private void remove(Pop pop) {
        MessageWait wait = Objects.requireNonNull(forMessage.remove(pop));
        wait.alarm.cancel();
        wait.waitsIn.forEach(waiters -> waiters.remove(pop));
        pop.become(PopState.RUNNABLE);
        pop.restart();
    }

    /** Ends the wait for a message without one. */
    private void end(Pop pop) {
        remove(pop);
        pop.end();
        events.add(pop);
    }

    /** Ends every wait for a message. */
    void endAll() {
        List.copyOf(forMessage.keySet()).forEach(this::end);
    }

    /** Disconnected clients must not fill the waiting pops until their deadlines. */
    private void endDisconnected() {
        for (Pop pop : List.copyOf(forMessage.keySet())) {
            if (pop.command().isGone().getAsBoolean()) {
                end(pop);
            }
        }
    }

    /** A queue was created or changed: pops over a namespace or task that matches it wait for it, too. */
    void adopt(Queue queue) {
        forMessage.forEach((pop, wait) -> {
            if (pop.command().source() instanceof PopCommand.Source.Filter filter && Backlogs.matches(filter, queue)) {
                wait.join(backlogs.of(queue.name(), pop.command().group()).waiters(), pop);
            }
        });
    }

    /** A queue was deleted: pops over a namespace or task no longer wait for it. Pops that name it wait for its creation. */
    void abandon(String queueName) {
        for (Backlog backlog : List.copyOf(backlogs.ofQueue(queueName))) {
            for (Pop pop : backlog.waiters().all()) {
                if (pop.command().source() instanceof PopCommand.Source.Filter) {
                    Objects.requireNonNull(forMessage.get(pop)).leave(backlog.waiters(), pop);
                }
            }
            backlogs.dropIfAbsent(backlog);
        }
    }

    /** The queue exists now, or exists again: every pop that names one of its partitions is planned again. */
    void wakeNamed(Backlog backlog) {
        for (Waiters named : backlog.namedWaiters()) {
            for (Pop pop = poll(named); pop != null; pop = poll(named)) {
                events.add(pop);
            }
        }
    }

    /** Returns the number of pops that wait for a message. */
    int count() {
        return forMessage.size();
    }

    /** Returns the number of pops that wait for a message of each queue, without pops that name no queue. */
    Map<String, Integer> countByQueue() {
        Map<String, Integer> counts = new HashMap<>();
        for (Pop pop : forMessage.keySet()) {
            switch (pop.command().source()) {
                case PopCommand.Source.Partition(var queue, _) -> counts.merge(queue, 1, Integer::sum);
                case PopCommand.Source.Queue(var queue) -> counts.merge(queue, 1, Integer::sum);
                case PopCommand.Source.Filter _ -> {
                }
            }
        }
        return counts;
    }

    /** Adds the pops that wait for a message. A pop that names no queue waits for all queues that match. */
    void addTo(ConsumerReport report) {
        Map<PopCommand.Source.Filter, Map<String, Integer>> unnamed = new HashMap<>(0);
        for (Pop pop : forMessage.keySet()) {
            String group = pop.command().group();
            switch (pop.command().source()) {
                case PopCommand.Source.Partition(var queue, _) -> report.addWaiting(queue, group, 1);
                case PopCommand.Source.Queue(var queue) -> report.addWaiting(queue, group, 1);
                case PopCommand.Source.Filter filter ->
                    unnamed.computeIfAbsent(filter, _ -> new HashMap<>(2)).merge(group, 1, Integer::sum);
            }
        }
        unnamed.forEach((filter, groups) -> backlogs.namesLike(filter)
                .forEach(queue -> groups.forEach((group, count) -> report.addWaiting(queue, group, count))));
    }

    /** The wait of one pop for a message: where it waits, and the alarm of its deadline. */
    private static final class MessageWait {
        private final List<Waiters> waitsIn = new ArrayList<>(1);
        private final Timers.Alarm alarm;

        private MessageWait(Timers.Alarm alarm) {
            this.alarm = alarm;
        }

        private void join(Waiters waiters, Pop pop) {
            if (waiters.add(pop)) {
                waitsIn.add(waiters);
            }
        }

        private void leave(Waiters waiters, Pop pop) {
            waiters.remove(pop);
            waitsIn.remove(waiters);
        }
    }
}
