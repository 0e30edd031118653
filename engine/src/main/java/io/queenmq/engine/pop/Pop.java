package io.queenmq.engine.pop;

import io.queenmq.engine.command.PopCommand;

import io.queenmq.engine.partition.OffsetSet;
import io.queenmq.engine.reply.Failure;
import io.queenmq.engine.time.Timers;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** One pop request on its way. Owned by the engine loop. */
final class Pop {
    /** How often a pop that found its partitions taken looks for others before it counts as empty. */
    static final int ROUNDS_MAX = 3;

    private final PopCommand command;
    private final long turn;
    private final long deadlineNs;
    private final List<Grant> grants = new ArrayList<>(1);
    private final List<Backlog> seen = new ArrayList<>(0);
    private final List<Backlog> seenInDoubt = new ArrayList<>(0);
    private PopState state = PopState.PENDING;
    private UUID leaseId;
    private int rounds;
    private long epoch;
    private int granted;
    private long grantedBytes;
    private int leaseShard;
    private long passedOver;
    private Failure refusal;
    private boolean hasWaited;
    private Timers.Alarm alarm;
    private List<Waiters> lines = List.of();

    /** @param turn its place among all pops of this server, by arrival */
    Pop(PopCommand command, long turn, long deadlineNs) {
        this.command = command;
        this.turn = turn;
        this.deadlineNs = deadlineNs;
    }

    /** Whether it asks for one partition by name. */
    boolean isNamed() {
        return command.source() instanceof PopCommand.Source.Partition;
    }

    PopCommand command() {
        return command;
    }

    long turn() {
        return turn;
    }

    PopState state() {
        return state;
    }

    void become(PopState next) {
        assert state.canBecome(next) : state + " to " + next;
        state = next;
        if (next == PopState.PENDING) {
            rounds = 0;
            granted = 0;
            grantedBytes = 0;
            grants.clear();
            leaseId = null;
            passedOver = 0;
            refusal = null;
            hasWaited = true;
            seen.clear();
        }
    }

    /** Begins again as if it had just come. */
    void startOver() {
        become(PopState.EMPTY);
        become(PopState.PENDING);
        hasWaited = false;
        seenInDoubt.clear();
    }

    /** The epoch of the database history in which everything was granted. */
    long epoch() {
        return epoch;
    }

    boolean isParked() {
        return state == PopState.EMPTY && alarm != null;
    }

    /** Whether it has stood in line before. */
    boolean hasWaited() {
        return hasWaited;
    }

    /** Whether the database was asked about this backlog since the pop came. */
    boolean hasSeen(Backlog backlog) {
        return seen.contains(backlog);
    }

    /** A look is over. One that may have begun before the pop came is made once more. */
    void saw(Backlog backlog) {
        (backlog.isSeenSince(cameNs()) || seenInDoubt.contains(backlog) ? seen : seenInDoubt).add(backlog);
    }

    private long cameNs() {
        return deadlineNs - command.waitMax().toNanos();
    }

    long deadlineNs() {
        return deadlineNs;
    }

    /** Waits in these lines until the deadline. */
    void park(Timers.Alarm deadline, List<Waiters> waitingIn) {
        alarm = deadline;
        lines = waitingIn;
        lines.forEach(line -> line.add(this));
    }

    /** Waits in one more line, unless it waits there already. Must be called only while the pop waits. */
    void join(Waiters line) {
        assert isParked();
        if (line.add(this)) {
            lines = new ArrayList<>(lines);
            lines.add(line);
        }
    }

    /** Leaves one of its lines, and waits on in the others. */
    void leave(Waiters line) {
        line.remove(this);
        lines = new ArrayList<>(lines);
        lines.remove(line);
    }

    /** Leaves every line. */
    void unpark() {
        alarm.cancel();
        alarm = null;
        lines.forEach(line -> line.remove(this));
        lines = List.of();
    }

    /**
     * All partitions of one answer share the lease id of the first partition that was tried in their shard: a lease id leads to the
     * shard that holds its partitions. So one that was given nothing in a shard goes on in another with another id.
     */
    UUID leaseId(LeaseIds ids, GroupPartition firstPartition) {
        if (leaseId == null || leaseShard != firstPartition.shard()) {
            leaseId = ids.next(firstPartition.id());
            leaseShard = firstPartition.shard();
        }
        return leaseId;
    }

    UUID leaseId() {
        return leaseId;
    }

    /** A partition that is granted again from an earlier message on was sought back meanwhile: what it gave before is void. */
    void grant(Grant grant, long inEpoch) {
        if (epoch != inEpoch) {
            // What was granted before was granted by a database that has another history now.
            grants.clear();
            granted = 0;
            grantedBytes = 0;
            epoch = inEpoch;
        }
        for (Grant each : List.copyOf(grants)) {
            if (each.partition().id().equals(grant.partition().id()) && each.end() > grant.first()) {
                grants.remove(each);
                granted -= each.count();
                grantedBytes -= each.bytes();
            }
        }
        grants.add(grant);
        granted += grant.count();
        grantedBytes += grant.bytes();
    }

    List<Grant> grants() {
        return grants;
    }

    /** The shard it takes partitions of, because it has some of them already; {@link ReadyLine#NONE} for any. */
    int shard() {
        return grants.isEmpty() ? ReadyLine.NONE : grants.getFirst().partition().shard();
    }

    /** A shard does not answer: the pop looks in others. */
    void passOver(int shard, Failure why) {
        passedOver |= 1L << shard;
        refusal = why;
    }

    /** The shards that did not answer, one bit for each. */
    long passedOver() {
        return passedOver;
    }

    /** Why the last of them was passed over; null when none was. */
    Failure refusal() {
        return refusal;
    }

    void beginRound() {
        rounds++;
    }

    /** One round asks for partitions of one shard: where there are several, each has one of the last rounds, in which most are tried. */
    boolean hasRoundsLeft(int shards) {
        return rounds < ROUNDS_MAX - 1 + shards;
    }

    /** Whether nothing else can come under the lease of the first partition or message that is granted. */
    boolean isSole() {
        return command.batch() == 1 || command.partitionsMax() == 1;
    }

    int messagesWanted() {
        return isGivenAlone() ? 0 : command.batch() - granted;
    }

    private boolean isGivenAlone() {
        return grants.size() == 1 && grants.getFirst().isAlone();
    }

    int partitionsWanted() {
        return command.partitionsMax() - grants.size();
    }

    /** What all its partitions were given, as far as it was weighed. */
    long grantedBytes() {
        return grantedBytes;
    }

    /** @param bytesMax about how many bytes one pop is given; half of it is worth an answer */
    boolean isSatisfied(long bytesMax) {
        return messagesWanted() <= 0 || partitionsWanted() <= 0 || grantedBytes > bytesMax / 2;
    }

    /** How many partitions to try at once: the more rounds went by in vain, the more. */
    int candidatesWanted() {
        return partitionsWanted() + (rounds == 0 ? 0 : 8 << 3 * (Math.min(rounds, ROUNDS_MAX - 1) - 1));
    }

    /**
     * Offsets of a partition that were given to this pop.
     *
     * @param acked offsets among them that are finished already and not to be delivered again
     * @param isAlone whether nothing else may be given under the same lease
     * @param bytes about how many they are
     * @param untilNs when the lease runs out, by this server's clock
     */
    record Grant(GroupPartition partition, long first, long end, OffsetSet acked, Attempts attempts, boolean isAlone,
            long bytes,
            long untilNs) {
        int count() {
            return (int) (end - first);
        }
    }
}
