package io.queenmq.engine.ack;

import io.queenmq.engine.command.AckItem;
import io.queenmq.engine.command.AckOutcome;

import io.queenmq.engine.numbers.QueueNumbers;
import io.queenmq.engine.partition.OffsetSet;
import io.queenmq.engine.reply.Failure;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The acks of messages of one lease in one partition, which one call carries. Owned by the engine loop. */
public final class AckHolder {
    private static final String LEASE_GONE = "the lease has expired or was taken over";

    private final LeasedPartition leased;
    private final QueueNumbers numbers;
    private final long epoch;
    private final ErrorTexts errors;
    private final List<Entry> entries = new ArrayList<>();

    /** @param epoch of the database history in which the offsets of its messages were found */
    AckHolder(LeasedPartition leased, QueueNumbers numbers, long epoch, ErrorTexts errors) {
        this.leased = leased;
        this.numbers = numbers;
        this.epoch = epoch;
        this.errors = errors;
    }

    public UUID partitionId() {
        return leased.partitionId();
    }

    public String group() {
        return leased.group();
    }

    public UUID leaseId() {
        return leased.leaseId();
    }

    /** Returns the name of the queue. */
    public String queue() {
        return leased.queue();
    }

    /** Returns the name of the partition. */
    public String partition() {
        return leased.partition();
    }

    /** Returns the counters of the queue. */
    public QueueNumbers numbers() {
        return numbers;
    }

    /** Returns the offset of the last message that is acknowledged. */
    public long lastOffset() {
        return entries.stream().mapToLong(Entry::offset).max().orElseThrow();
    }

    void add(AckItem item, long offset, AckListener listener, int index) {
        entries.add(new Entry(item, offset, listener, index));
    }

    void addAll(AckHolder other) {
        entries.addAll(other.entries);
    }

    /** Returns the number of acks. */
    int size() {
        return entries.size();
    }

    boolean isAllCompleted() {
        return entries.stream().allMatch(Entry::isCompleted);
    }

    /** Returns the partitions of the holders. */
    public static Set<UUID> partitionIds(Collection<AckHolder> holders) {
        return holders.stream().map(AckHolder::partitionId).collect(Collectors.toUnmodifiableSet());
    }

    /**
     * Returns true if its messages must be looked up again: in another history of the database other messages may be at their
     * offsets. Under a live lease they are the same, because a lease is committed after the messages that it covers.
     */
    boolean isOutdated(long currentEpoch, AckAnswer answer) {
        return epoch != currentEpoch && !answer.isLive();
    }

    /** Completes every ack with its outcome. An ack repeated after its message was finished is accepted. */
    void complete(AckAnswer answer) {
        complete(answer, LEASE_GONE);
    }

    /** @param loss why the lease is not live */
    void complete(AckAnswer answer, String loss) {
        int success = 0;
        for (Entry entry : entries) {
            String error = answer.isLive() || answer.finished().contains(entry.offset) ? null : loss;
            success += error == null && entry.isCompleted() ? 1 : 0;
            entry.decide(new AckOutcome(queue(), partition(), error, answer.isLive() && answer.isReleased(),
                    answer.dead().contains(entry.offset)));
        }
        numbers.acked(success, entries.size() - success);
        numbers.touched(partitionId());
    }

    /** Completes every ack of a transaction that took effect. */
    public void completeCommitted(Set<Long> dead) {
        complete(AckAnswer.committed(dead));
    }

    /** Completes every ack with a failure of the call. */
    void refuse(Failure failure) {
        for (Entry entry : entries) {
            if (failure instanceof Failure.Unavailable) {
                entry.listener.fail(failure);
            } else {
                entry.decide(new AckOutcome(queue(), partition(), failure.message(), false, false));
            }
        }
        if (!(failure instanceof Failure.Unavailable)) {
            numbers.acked(0, entries.size());
        }
        numbers.touched(partitionId());
    }

    /** Returns the error of a failed message in the form in which it is stored. */
    @Nullable
    String storedError(@Nullable String error) {
        return errors.stored(queue(), error);
    }

    /** Returns the acks of each message, in the order in which they arrived. */
    List<List<Entry>> byMessage() {
        Map<Long, List<Entry>> byOffset = new LinkedHashMap<>();
        entries.forEach(entry -> byOffset.computeIfAbsent(entry.offset, _ -> new ArrayList<>(1)).add(entry));
        return new ArrayList<>(byOffset.values());
    }

    /** Returns the messages that failed. */
    List<Entry> failures() {
        return isAllCompleted() ? List.of() : firsts().values().stream().filter(entry -> !entry.isCompleted()).toList();
    }

    /** Returns the offsets of the messages that were completed. */
    OffsetSet completed() {
        Collection<Entry> counting = isAllCompleted() ? entries : firsts().values();
        return OffsetSet.of(counting.stream().filter(Entry::isCompleted).mapToLong(Entry::offset).toArray());
    }

    /** Returns the first ack of each message. Only that one applies: a client may repeat an ack while the first is in flight. */
    private Map<Long, Entry> firsts() {
        Map<Long, Entry> firsts = new LinkedHashMap<>();
        for (Entry entry : entries) {
            firsts.putIfAbsent(entry.offset, entry);
        }
        return firsts;
    }

    /** The ack of one message. */
    public static final class Entry {
        private final AckItem item;
        private final long offset;
        private final AckListener listener;
        private final int index;

        private Entry(AckItem item, long offset, AckListener listener, int index) {
            this.item = item;
            this.offset = offset;
            this.listener = listener;
            this.index = index;
        }

        long offset() {
            return offset;
        }

        AckItem item() {
            return item;
        }

        void fail(Failure failure) {
            listener.fail(failure);
        }

        private boolean isCompleted() {
            return item.status() == AckItem.Status.COMPLETED;
        }

        void decide(AckOutcome outcome) {
            listener.decide(index, outcome);
        }
    }
}
