package io.queenmq.engine.ack;

import io.queenmq.engine.command.AckItem;
import io.queenmq.engine.command.AckOutcome;

import io.queenmq.engine.numbers.QueueNumbers;
import io.queenmq.engine.partition.OffsetSet;
import io.queenmq.engine.reply.Failure;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** What is said of the messages of one lease in one partition, with one call. Owned by the engine loop. */
public final class AckHolder {
    private final UUID partitionId;
    private final String group;
    private final UUID leaseId;
    private final String queue;
    private final String partition;
    private final QueueNumbers numbers;
    private final long epoch;
    private final ErrorTexts errors;
    private final List<Entry> entries = new ArrayList<>();
    private boolean isLive;
    private boolean isReleased;
    private boolean isBusy;
    private boolean isAbsent;
    private String loss = "the lease has expired or was taken over";
    private long committed;
    private OffsetSet acked = OffsetSet.NONE;

    /** @param epoch of the database history in which the offsets of its messages were found */
    AckHolder(UUID partitionId, String group, UUID leaseId, String queue, String partition, QueueNumbers numbers,
            long epoch, ErrorTexts errors) {
        this.epoch = epoch;
        this.errors = errors;
        this.partitionId = partitionId;
        this.group = group;
        this.leaseId = leaseId;
        this.queue = queue;
        this.partition = partition;
        this.numbers = numbers;
    }

    public UUID partitionId() {
        return partitionId;
    }

    public String group() {
        return group;
    }

    public UUID leaseId() {
        return leaseId;
    }

    /** The name of the messages' queue. */
    public String queue() {
        return queue;
    }

    /** The name of the messages' partition. */
    public String partition() {
        return partition;
    }

    /** Where to count what happens to the messages' queue. */
    public QueueNumbers numbers() {
        return numbers;
    }

    /** The last message that is spoken of. */
    public long lastOffset() {
        return entries.stream().mapToLong(Entry::offset).max().orElseThrow();
    }

    void add(AckItem item, long offset, AckListener listener, int index) {
        entries.add(new Entry(item, offset, listener, index));
    }

    void addAll(AckHolder other) {
        entries.addAll(other.entries);
    }

    /** The number of acknowledgements. */
    int size() {
        return entries.size();
    }

    boolean isAllCompleted() {
        return entries.stream().allMatch(Entry::isCompleted);
    }

    void answered(boolean isLive, boolean isReleased, long committed, OffsetSet acked, boolean isBusy) {
        this.isLive = isLive;
        this.isReleased = isReleased;
        this.committed = committed;
        this.acked = acked;
        this.isBusy = isBusy;
        this.isAbsent = false;
    }

    /** What an earlier call said no longer counts. A cursor that is gone has no answer at all. */
    void asked() {
        answered(false, false, 0, OffsetSet.NONE, false);
        isAbsent = true;
    }

    /** Whether there is no cursor any more. */
    boolean isAbsent() {
        return isAbsent;
    }

    /** Returns the partitions of the holders. */
    public static Set<UUID> partitionIds(Collection<AckHolder> holders) {
        return holders.stream().map(AckHolder::partitionId).collect(Collectors.toUnmodifiableSet());
    }

    /**
     * Whether its messages have to be looked up again: in another history of the database other messages may be at their
     * offsets. Under a live lease they are the same, because a lease is committed after the messages that it covers.
     */
    boolean isOutdated(long currentEpoch) {
        return epoch != currentEpoch && !isLive;
    }

    List<Entry> entries() {
        return entries;
    }

    /** Why the lease is not live, when it is known better. */
    void lost(String reason) {
        loss = reason;
    }

    /** Whether nothing was done, because somebody was working on the cursor. */
    boolean isBusy() {
        return isBusy;
    }

    /** Whether the lease has ended, by this call or before it. */
    boolean isOver() {
        return isReleased || !isLive;
    }

    long committed() {
        return committed;
    }

    /** Tells everybody what became of their message; an ack repeated after its message was finished is accepted. */
    public void decide() {
        Map<Long, Entry> firsts = isAllCompleted() ? Map.of() : firsts();
        int success = 0;
        for (Entry entry : entries) {
            boolean isDead = firsts.getOrDefault(entry.offset, entry).isDead;
            boolean isFinished = entry.offset < committed || acked.contains(entry.offset);
            String error = isLive || isFinished ? null : loss;
            success += error == null && entry.isCompleted() ? 1 : 0;
            entry.listener.decide(entry.index, new AckOutcome(queue, partition, error, isLive && isReleased, isDead));
        }
        numbers.acked(success, entries.size() - success);
        numbers.touched(partitionId);
    }

    /** Nobody can say what became of the messages, or PostgreSQL refuses to do what was asked. */
    void refuse(Failure failure) {
        for (Entry entry : entries) {
            if (failure instanceof Failure.Unavailable) {
                entry.listener.fail(failure);
            } else {
                entry.listener.decide(entry.index, new AckOutcome(queue, partition, failure.message(), false, false));
            }
        }
        if (!(failure instanceof Failure.Unavailable)) {
            numbers.acked(0, entries.size());
        }
        numbers.touched(partitionId);
    }

    /** As decide, for a transaction that went through. */
    public void decideCommitted() {
        isLive = true;
        decide();
    }

    /** The first four arguments of the routines ack and nack. */
    public static Tuple arguments(List<AckHolder> holders) {
        UUID[] partitionIds = new UUID[holders.size()];
        String[] groups = new String[holders.size()];
        UUID[] leaseIds = new UUID[holders.size()];
        String[] completed = new String[holders.size()];
        for (int i = 0; i < partitionIds.length; i++) {
            AckHolder holder = holders.get(i);
            partitionIds[i] = holder.partitionId;
            groups[i] = holder.group;
            leaseIds[i] = holder.leaseId;
            completed[i] = holder.completed().toString();
        }
        return Tuple.of(partitionIds, groups, leaseIds, completed);
    }

    /** The messages that went wrong, over all holders. */
    public static List<Entry> failures(List<AckHolder> holders) {
        List<Entry> failures = new ArrayList<>();
        for (AckHolder holder : holders) {
            failures.addAll(holder.failures());
        }
        return failures;
    }

    /** The last four arguments of the routine nack. */
    public static Tuple addFailures(Tuple arguments, List<AckHolder> holders, List<Entry> failures) {
        List<Integer> holderIndexes = new ArrayList<>();
        List<String> errors = new ArrayList<>();
        for (int i = 0; i < holders.size(); i++) {
            AckHolder holder = holders.get(i);
            for (Entry failure : holder.failures()) {
                holderIndexes.add(i + 1);
                errors.add(holder.errors.stored(holder.queue, failure.item.error()));
            }
        }
        return arguments.addValue(holderIndexes.toArray(Integer[]::new))
                .addValue(failures.stream().map(Entry::offset).toArray(Long[]::new))
                .addValue(
                        failures.stream().map(entry -> entry.item.status().name().toLowerCase()).toArray(String[]::new))
                .addValue(errors.toArray(String[]::new));
    }

    private List<Entry> failures() {
        return isAllCompleted() ? List.of() : firsts().values().stream().filter(entry -> !entry.isCompleted()).toList();
    }

    private OffsetSet completed() {
        Collection<Entry> counting = isAllCompleted() ? entries : firsts().values();
        return OffsetSet.of(counting.stream().filter(Entry::isCompleted).mapToLong(Entry::offset).toArray());
    }

    /** What is said of each message first. Only that counts: a client may repeat itself while its first word is on its way. */
    private Map<Long, Entry> firsts() {
        Map<Long, Entry> firsts = new LinkedHashMap<>();
        for (Entry entry : entries) {
            firsts.putIfAbsent(entry.offset, entry);
        }
        return firsts;
    }

    /** One message, and who wants to know what became of it. */
    public static final class Entry implements AckListener {
        private final AckItem item;
        private final long offset;
        private final AckListener listener;
        private final int index;
        private boolean isDead;

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

        /** For an entry that is sorted again, as the only one of its kind. */
        @Override
        public void decide(int position, AckOutcome outcome) {
            listener.decide(index, outcome);
        }

        @Override
        public void fail(Failure failure) {
            listener.fail(failure);
        }

        private boolean isCompleted() {
            return item.status() == AckItem.Status.COMPLETED;
        }

        public void setDead(boolean isDead) {
            this.isDead = isDead;
        }
    }
}
