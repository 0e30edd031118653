package io.queenmq.engine.pop;

import io.queenmq.engine.command.PopCommand;
import io.queenmq.engine.queue.QueueOptions;
import io.queenmq.engine.reply.Failure;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A pop request and its state. Owned by the engine loop. */
final class Pop implements PopEvent {
    /** The number of lease calls of a pop that finds all partitions leased by others. */
    static final int ROUNDS_MAX = 3;

    private final PopCommand command;
    private final long turn;
    private final long deadlineNs;
    private final List<Grant> grants = new ArrayList<>(1);
    private final List<Backlog> scanned = new ArrayList<>(0);
    private final List<Backlog> maybeScanned = new ArrayList<>(0);
    private PopState state = PopState.RUNNABLE;
    private @Nullable UUID leaseId;
    private int leaseShard;
    private int rounds;
    private long epoch;
    private int granted;
    private long grantedBytes;
    private long passedOver;
    private @Nullable Failure failure;
    private int failures;
    private boolean hasWaited;
    private boolean hasAwaitedCall;
    private boolean isEnded;

    /** @param turn the position among all pops of this server, by arrival */
    Pop(PopCommand command, long turn, long deadlineNs) {
        this.command = command;
        this.turn = turn;
        this.deadlineNs = deadlineNs;
    }

    /** Returns whether the pop names a partition. */
    boolean isNamed() {
        return command.source() instanceof PopCommand.Source.Partition;
    }

    PopCommand command() {
        return command;
    }

    long turn() {
        return turn;
    }

    long deadlineNs() {
        return deadlineNs;
    }

    PopState state() {
        return state;
    }

    /** Enters a state. An illegal transition is a defect: two owners would answer the same request. */
    void become(PopState next) {
        if (!state.canBecome(next)) {
            throw new IllegalStateException("a pop in state " + state + " cannot become " + next);
        }
        state = next;
    }

    /** Drops the results of earlier lease calls. Called when the pop has waited for a message, which may be in any partition. */
    void restart() {
        rounds = 0;
        granted = 0;
        grantedBytes = 0;
        grants.clear();
        leaseId = null;
        passedOver = 0;
        failure = null;
        failures = 0;
        hasWaited = true;
        hasAwaitedCall = false;
        scanned.clear();
    }

    /** Resets the pop to the state of a new one, because the database has another history. */
    void reset() {
        restart();
        hasWaited = false;
        maybeScanned.clear();
    }

    /** Ends the wait: the pop is answered without another try. */
    void end() {
        isEnded = true;
    }

    boolean isEnded() {
        return isEnded;
    }

    /** Returns the epoch of the database history in which everything was granted. */
    long epoch() {
        return epoch;
    }

    /** Returns whether the pop has waited for a message. */
    boolean hasWaited() {
        return hasWaited;
    }

    /** The lease call of another pop for the same partition is complete. */
    void awaitedCall() {
        hasAwaitedCall = true;
    }

    boolean hasAwaitedCall() {
        return hasAwaitedCall;
    }

    /** Returns whether the backlog was scanned since the pop arrived. */
    boolean hasScanned(Backlog backlog) {
        return scanned.contains(backlog);
    }

    /** A scan is complete. If it may have begun before the pop arrived, one more is needed. */
    void scanned(Backlog backlog) {
        long arrivedNs = deadlineNs - command.waitMax().toNanos();
        (backlog.isScannedSince(arrivedNs) || maybeScanned.contains(backlog) ? scanned : maybeScanned).add(backlog);
    }

    /** The backlog cannot be scanned now, because no shard is available. */
    void skipScan(Backlog backlog) {
        scanned.add(backlog);
    }

    /**
     * Returns the id under which partitions of a shard are leased. It is derived from the first partition that was tried in
     * the shard, because the shard of a lease is found by its id.
     */
    UUID leaseId(LeaseIds ids, GroupPartition firstPartition) {
        if (leaseId == null || leaseShard != firstPartition.shard()) {
            leaseId = ids.next(firstPartition.id());
            leaseShard = firstPartition.shard();
        }
        return leaseId;
    }

    /** Returns the id under which partitions were leased. Must be called only if partitions were leased or tried. */
    UUID leaseId() {
        return Objects.requireNonNull(leaseId);
    }

    /** A partition granted again from an earlier offset was sought to that offset meanwhile: the earlier grant is void. */
    void grant(Grant grant, long inEpoch) {
        if (epoch != inEpoch) {
            // The earlier grants are of another history of the database.
            grants.clear();
            granted = 0;
            grantedBytes = 0;
            epoch = inEpoch;
        }
        for (Grant each : List.copyOf(grants)) {
            if (each.partition().id().equals(grant.partition().id()) && each.range().end() > grant.range().first()) {
                grants.remove(each);
                granted -= each.range().count();
                grantedBytes -= each.range().bytes();
            }
        }
        grants.add(grant);
        granted += grant.range().count();
        grantedBytes += grant.range().bytes();
    }

    List<Grant> grants() {
        return grants;
    }

    /** Returns the shard of the granted partitions; {@link ReadyQueue#NONE} for any. */
    int shard() {
        return grants.isEmpty() ? ReadyQueue.NONE : grants.getFirst().partition().shard();
    }

    /** The pop cannot continue, unless its planner finds another way. */
    void failed(Failure cause) {
        failure = cause;
        failures++;
    }

    /** A lease call failed: no more partitions of this shard are tried. */
    void failed(int shard, Failure cause) {
        passedOver |= 1L << shard;
        failed(cause);
    }

    /** Returns the shards whose calls failed, one bit for each. */
    long passedOver() {
        return passedOver;
    }

    /** Returns the last failure; null if there was none. */
    @Nullable
    Failure failure() {
        return failure;
    }

    int failures() {
        return failures;
    }

    int rounds() {
        return rounds;
    }

    void beginRound() {
        rounds++;
    }

    /** No message of the granted ranges is stored any more: the pop tries no other partition. */
    void endRounds() {
        rounds = Integer.MAX_VALUE;
    }

    /** Each shard gets one of the last rounds, in which most partitions are tried. */
    boolean hasRoundsLeft(int shards) {
        return rounds < ROUNDS_MAX - 1 + shards;
    }

    /** Returns the duration of the lease: as requested, or the leaseTime of the queue. */
    int leaseSeconds(QueueOptions options) {
        return command.leaseSeconds() > 0 ? command.leaseSeconds() : options.leaseTime();
    }

    /** Returns whether the first granted partition or message is the only one. */
    boolean isSole() {
        return command.batch() == 1 || command.partitionsMax() == 1;
    }

    int messagesWanted() {
        return isGrantedAlone() ? 0 : command.batch() - granted;
    }

    private boolean isGrantedAlone() {
        return grants.size() == 1 && grants.getFirst().range().isAlone();
    }

    int partitionsWanted() {
        return command.partitionsMax() - grants.size();
    }

    long grantedBytes() {
        return grantedBytes;
    }

    /** @param bytesMax the approximate maximum number of bytes of one pop; half of it is enough */
    boolean isSatisfied(long bytesMax) {
        return messagesWanted() <= 0 || partitionsWanted() <= 0 || grantedBytes > bytesMax / 2;
    }

    /** Returns the number of partitions to try at once. It grows with every round. */
    int candidatesWanted() {
        return partitionsWanted() + (rounds == 0 ? 0 : 8 << 3 * (Math.min(rounds, ROUNDS_MAX - 1) - 1));
    }
}
