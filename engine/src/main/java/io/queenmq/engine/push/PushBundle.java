package io.queenmq.engine.push;

import io.queenmq.engine.command.PushItem;
import io.queenmq.engine.command.PushOutcome;
import io.queenmq.engine.numbers.PushRefusal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Messages that are stored atomically with other changes, with the outcome of each. Created by the module that stores them, and
 * prepared by {@link PushBundles}. Owned by the engine loop.
 */
public final class PushBundle {
    private final List<PushItem> items;
    private final PushPartition[] partitions;
    private final PushOutcome[] outcomes;
    private final long sinceNs;
    private boolean isStored;
    private boolean isHolding;
    private long number;
    private int calls;
    private int answers;
    private @Nullable Attempt attempt;
    private Set<UUID> acknowledged = Set.of();
    private int unresolvedCalls;

    /**
     * Where the first message of a draft is, if a call whose outcome is unknown has stored the bundle: all of it is stored or
     * nothing. Unresolved attempts append at the same offset, because the next call is made only when the heads of the partitions
     * are known again.
     */
    public record Attempt(UUID partitionId, long base, UUID messageId) {}

    /** @param sinceNs the arrival time of the request of the messages */
    public PushBundle(List<PushItem> items, long sinceNs) {
        this.items = items;
        this.sinceNs = sinceNs;
        this.partitions = new PushPartition[items.size()];
        this.outcomes = new PushOutcome[items.size()];
    }

    public List<PushItem> items() {
        return items;
    }

    public long sinceNs() {
        return sinceNs;
    }

    void setPartition(int position, PushPartition partition) {
        partitions[position] = partition;
    }

    PushPartition partition(int position) {
        return partitions[position];
    }

    /** Returns the partitions of the messages, each once. They are set when the bundle is prepared. */
    public Set<PushPartition> partitions() {
        Set<PushPartition> all = new LinkedHashSet<>();
        for (PushPartition partition : partitions) {
            if (partition != null) {
                all.add(partition);
            }
        }
        return all;
    }

    /** Returns the partitions in which the same call acknowledges messages. */
    Set<UUID> acknowledged() {
        return acknowledged;
    }

    public void setAcknowledged(Set<UUID> partitionIds) {
        acknowledged = partitionIds;
    }

    /** Returns the call that may have stored the bundle; null if there is none. */
    public @Nullable Attempt attempt() {
        return attempt;
    }

    /** Copies the unresolved call of an earlier bundle of the same messages. */
    public void follow(PushBundle earlier) {
        attempt = earlier.attempt;
        unresolvedCalls = earlier.unresolvedCalls;
    }

    /** The database has reported that the last call stored nothing. Calls before it may have stored something. */
    public void storedNothing() {
        if (unresolvedCalls == 1) {
            resolved();
        }
    }

    /** The outcome of all calls is known. */
    void resolved() {
        attempt = null;
        unresolvedCalls = 0;
    }

    void duplicateOf(int position, UUID messageId) {
        outcomes[position] = new PushOutcome.Duplicate(partitions[position].id(), messageId);
    }

    /** Returns the positions of its undecided messages whose hash is in the window of the partition. */
    List<Integer> suspects(PushPartition partition) {
        List<Integer> suspects = new ArrayList<>(0);
        for (int i = 0; i < partitions.length && !partition.rule().isOff(); i++) {
            if (partitions[i] == partition && outcomes[i] == null
                    && partition.window().find(items.get(i).hash()) >= 0) {
                suspects.add(i);
            }
        }
        return suspects;
    }

    /** Its own messages are stored: a call whose answer was lost has executed all of it. */
    void foundStored() {
        isStored = true;
        drafted().forEach((partition, count) -> partition.numbers().pushed(partition.id(), count, false));
    }

    /** Returns the number of messages to be stored in each partition. */
    private Map<PushPartition, Integer> drafted() {
        Map<PushPartition, Integer> counts = new LinkedHashMap<>();
        forEachStored((partition, _) -> counts.merge(partition, 1, Integer::sum));
        return counts;
    }

    /** Returns true if its messages were found stored. */
    public boolean isStored() {
        return isStored;
    }

    /** Returns true if every message is decided. */
    public boolean isDecided() {
        return Arrays.stream(outcomes).noneMatch(Objects::isNull);
    }

    /**
     * Returns the segments that the next call stores, by partition, with each transactionId once. Must be called once per call.
     *
     * @throws io.queenmq.engine.cipher.CipherException if a message must be encrypted and cannot be
     */
    public Map<PushPartition, SegmentDraft> drafts(PayloadEncryption encryption) {
        calls++;
        Map<PushPartition, SegmentDraft> drafts = new LinkedHashMap<>();
        forEachStored((partition, item) -> {
            SegmentDraft draft = drafts.computeIfAbsent(partition, PushPartition::newDraft);
            draft.add(encryption.isRequiredFor(partition)
                    ? encryption.encrypt(item, partition, draft.nextOffset())
                    : item);
        });
        drafts.entrySet().stream().findFirst().ifPresent(each -> {
            SegmentDraft draft = each.getValue();
            attempt = new Attempt(each.getKey().id(), draft.known(), draft.item(0).messageId());
            unresolvedCalls++;
        });
        return drafts;
    }

    /** Visits the messages that are to be stored. Of messages that are duplicates of each other, only the first is. */
    private void forEachStored(BiConsumer<PushPartition, PushItem> visitor) {
        Map<UUID, Set<String>> seen = new LinkedHashMap<>();
        for (int i = 0; i < partitions.length; i++) {
            PushPartition partition = partitions[i];
            PushItem item = items.get(i);
            if (outcomes[i] == null && (partition.rule().isOff()
                    || seen.computeIfAbsent(partition.id(), _ -> new LinkedHashSet<>()).add(item.transactionId()))) {
                visitor.accept(partition, item);
            }
        }
    }

    /** Returns the ids of the partitions whose queue was deleted, according to the catalog. */
    public Set<UUID> deleted(PayloadEncryption encryption) {
        return partitions().stream().filter(encryption::isDeleted).map(PushPartition::id).collect(Collectors.toSet());
    }

    /** The call took effect. Returns all outcomes: an undecided message was stored, or is a duplicate of one in the bundle. */
    public List<PushOutcome> committed() {
        Map<UUID, Map<String, UUID>> firsts = new LinkedHashMap<>();
        List<PushOutcome> all = new ArrayList<>(outcomes.length);
        for (int i = 0; i < outcomes.length; i++) {
            if (outcomes[i] == null) {
                PushItem item = items.get(i);
                UUID first = partitions[i].rule().isOff()
                        ? null
                        : firsts.computeIfAbsent(partitions[i].id(), _ -> new LinkedHashMap<>())
                                .putIfAbsent(item.transactionId(), item.messageId());
                outcomes[i] = first == null
                        ? new PushOutcome.Queued(partitions[i].id(), PushOutcome.UNKNOWN_OFFSET)
                        : new PushOutcome.Duplicate(partitions[i].id(), first);
            }
            all.add(outcomes[i]);
        }
        return all;
    }

    /** The bundle was not stored. Counts its messages to the matching partitions as refused. */
    public void countRefused(PushRefusal reason, String error, Predicate<PushPartition> isRefusing) {
        for (PushPartition partition : partitions) {
            if (isRefusing.test(partition)) {
                partition.numbers().refused(reason, error);
            }
        }
    }

    /** Returns its number among all bundles, by arrival. */
    long number() {
        return number;
    }

    void setNumber(long number) {
        this.number = number;
    }

    /** Returns true if it has taken its partitions. */
    boolean isHolding() {
        return isHolding;
    }

    void setHolding(boolean isHolding) {
        this.isHolding = isHolding;
    }

    /** The database has answered the last call. */
    void answered() {
        answers++;
    }

    /** Returns true if a call was sent whose outcome is unknown. */
    boolean isInDoubt() {
        return calls > answers;
    }
}
