package io.queenmq.server.pop;

import io.queenmq.server.catalog.Queue;
import io.queenmq.server.numbers.QueueNumbers;
import io.queenmq.server.pop.GroupLane.Belief;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * What a group has to read in a queue, as far as this server knows: the ready index. Lanes that are ready stand in one
 * line and take turns. Owned by the engine loop.
 */
final class Backlog {
    /** How much of the queue this server has seen. */
    enum Knowledge {
        /** Nothing yet, or something was missed: every lane has to be looked at. */
        NONE,
        /** The lanes are being looked at, page by page. */
        SWEEPING,
        /** Every lane was looked at, and pushes since then ring. */
        COMPLETE
    }

    private static final int HELD_SLACK = 64;

    private final String queueName;
    private final String group;
    private final QueueNumbers numbers;
    private final Map<UUID, GroupLane> lanes = new HashMap<>();
    private final ArrayDeque<GroupLane> ready = new ArrayDeque<>();
    private final LinkedHashSet<GroupLane> held = new LinkedHashSet<>();
    private final Map<String, Waiters> named = new HashMap<>();
    private final Waiters waiters;
    private final Backoff freshBackoff;
    private final ArrayDeque<Pop> waitingForSweep = new ArrayDeque<>(0);
    private Queue queue;
    private Knowledge knowledge = Knowledge.NONE;
    private boolean isLooking;
    private int era;
    private long lookedAtNs;
    private long lookedFarAtNs;
    private long sweptAtNs;
    private int looksInVain;
    private long usedAtNs;
    private long poppedAtNs;
    private boolean wasPopped;

    Backlog(String queueName, String group, QueueNumbers numbers, Backoff backoff) {
        this.queueName = queueName;
        this.group = group;
        this.numbers = numbers;
        this.freshBackoff = backoff;
        this.waiters = new Waiters(this, null, backoff);
    }

    String queueName() {
        return queueName;
    }

    String group() {
        return group;
    }

    /** Where to count what happens to the queue. */
    QueueNumbers numbers() {
        return numbers;
    }

    /** The queue; null while there is none of that name. */
    Queue queue() {
        return queue;
    }

    /** Takes note of the queue as it is now; true when what was believed about its lanes is worth nothing any more. */
    boolean setQueue(Queue now) {
        boolean isAnother = queue == null || now == null
                ? queue != now
                : !now.id().equals(queue.id()) || now.revision() != queue.revision()
                        || now.isOpenFor(group) != queue.isOpenFor(group);
        queue = now;
        return isAnother;
    }

    Map<UUID, GroupLane> lanes() {
        return lanes;
    }

    /** Whether there is a queue, and its messages may be handed out to the group. */
    boolean isOpen() {
        return queue != null && queue.isOpenFor(group);
    }

    boolean hasReady() {
        return isOpen() && !ready.isEmpty();
    }

    int readyCount() {
        return ready.size();
    }

    /** The lane whose turn it is; it leaves the line. */
    GroupLane pollReady() {
        GroupLane lane = ready.poll();
        while (lane != null && lane.belief() != Belief.READY) {
            lane = ready.poll();
        }
        return lane;
    }

    /** A lane goes to the end of the line, or back to its front when it only did not get its turn. */
    void addReady(GroupLane lane, boolean isFirst) {
        if (lanes.get(lane.id()) != lane) {
            // Forgotten meanwhile, because its queue was deleted.
            lane.believe(Belief.IDLE);
            return;
        }
        lane.believe(Belief.READY);
        if (isFirst) {
            ready.addFirst(lane);
        } else {
            ready.addLast(lane);
        }
    }

    /** Takes a lane that somebody named out of turn; its place in line is skipped when its turn comes. */
    void takeOut(GroupLane lane) {
        if (lane.belief() == Belief.READY) {
            ready.remove(lane);
        }
    }

    /** A lane that somebody holds: its lease may end before its time, on a server that does not tell this one. */
    void addHeld(GroupLane lane) {
        held.add(lane);
        if (held.size() > 2 * lanes.size() + HELD_SLACK) {
            held.removeIf(each -> !isHeld(each));
        }
    }

    /** Some of the lanes that are held, others at every call. */
    List<GroupLane> nextHeld(int max) {
        List<GroupLane> next = new ArrayList<>(Math.min(max, held.size()));
        for (Iterator<GroupLane> each = held.iterator(); each.hasNext() && next.size() < max;) {
            GroupLane lane = each.next();
            each.remove();
            if (isHeld(lane)) {
                next.add(lane);
            }
        }
        held.addAll(next);
        return next;
    }

    private boolean isHeld(GroupLane lane) {
        return lane.isHeld() && lanes.get(lane.id()) == lane;
    }

    /** Those who wait for any lane. */
    Waiters waiters() {
        return waiters;
    }

    /** Those who wait for this lane, whether or not it exists. */
    Waiters waitersOf(String partition) {
        return named.computeIfAbsent(partition, _ -> new Waiters(this, partition, freshBackoff));
    }

    /** Those who wait for this lane; null when nobody does. */
    Waiters findWaitersOf(String partition) {
        Waiters found = named.get(partition);
        if (found != null && found.isEmpty() && !found.isWatched()) {
            named.remove(partition);
            return null;
        }
        return found;
    }

    List<Waiters> namedWaiters() {
        return List.copyOf(named.values());
    }

    boolean hasWaiters() {
        return !waiters.isEmpty() || named.values().stream().anyMatch(each -> !each.isEmpty());
    }

    ArrayDeque<Pop> waitingForSweep() {
        return waitingForSweep;
    }

    Knowledge knowledge() {
        return knowledge;
    }

    void setKnowledge(Knowledge knowledge) {
        this.knowledge = knowledge;
    }

    /** Forgets every lane; those who wait stay. */
    void forgetLanes() {
        for (GroupLane lane : lanes.values()) {
            lane.believe(Belief.IDLE);
        }
        lanes.clear();
        ready.clear();
        held.clear();
        knowledge = Knowledge.NONE;
        isLooking = false;
        era++;
    }

    /** Another one since all lanes were forgotten: what was asked before that is not an answer any more. */
    int era() {
        return era;
    }

    /** Whether a look at the lanes pushed to lately is on its way. */
    boolean isLooking() {
        return isLooking;
    }

    void setLooking(boolean isLooking) {
        this.isLooking = isLooking;
    }

    /** When it was last asked whether other servers pushed something. */
    long lookedAtNs() {
        return lookedAtNs;
    }

    long lookedFarAtNs() {
        return lookedFarAtNs;
    }

    void looked(long nowNs, boolean isFar) {
        lookedAtNs = nowNs;
        if (isFar) {
            lookedFarAtNs = nowNs;
        }
    }

    /** When the lanes with something to read were last asked for. */
    long sweptAtNs() {
        return sweptAtNs;
    }

    /** How many times in a row that brought nothing new. */
    int looksInVain() {
        return looksInVain;
    }

    void swept(long nowNs, boolean isNews) {
        sweptAtNs = nowNs;
        looksInVain = isNews ? 0 : looksInVain + 1;
    }

    long usedAtNs() {
        return usedAtNs;
    }

    /** Whether somebody popped, or was given something, since that moment. */
    boolean isPoppedSince(long ns) {
        return wasPopped && poppedAtNs - ns >= 0;
    }

    void popped(long nowNs) {
        wasPopped = true;
        poppedAtNs = nowNs;
    }

    void used(long nowNs) {
        usedAtNs = nowNs;
    }
}
