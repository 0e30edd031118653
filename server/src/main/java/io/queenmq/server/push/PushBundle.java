package io.queenmq.server.push;

import io.queenmq.server.numbers.PushRefusal;
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

/**
 * Messages that are stored together with something else or not at all, and what became of each of them. Made by the room
 * that stores them, made ready by {@link PushBundles}. Owned by the engine loop.
 */
public final class PushBundle {
    private final List<PushItem> items;
    private final PushLane[] lanes;
    private final PushOutcome[] outcomes;
    private final long sinceNs;
    private boolean isStored;
    private boolean isHolding;
    private long number;
    private int calls;
    private int answers;
    private Attempt attempt;
    private Set<UUID> acknowledged = Set.of();
    private int unresolvedCalls;

    /**
     * Where the first message of a draft is, if a call whose outcome is unknown has stored the bundle: all of it is stored or
     * nothing. Unresolved attempts append at the same offset, because the next call is made only when the heads of the partitions
     * are known again.
     */
    public record Attempt(UUID partitionId, long base, UUID messageId) {}

    /** @param sinceNs when the request came that they belong to */
    public PushBundle(List<PushItem> items, long sinceNs) {
        this.items = items;
        this.sinceNs = sinceNs;
        this.lanes = new PushLane[items.size()];
        this.outcomes = new PushOutcome[items.size()];
    }

    public List<PushItem> items() {
        return items;
    }

    public long sinceNs() {
        return sinceNs;
    }

    void setLane(int position, PushLane lane) {
        lanes[position] = lane;
    }

    PushLane lane(int position) {
        return lanes[position];
    }

    /** The lanes they go to, each once; known when the bundle was made ready. */
    public Set<PushLane> lanes() {
        Set<PushLane> all = new LinkedHashSet<>();
        for (PushLane lane : lanes) {
            if (lane != null) {
                all.add(lane);
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

    /** The call that may have stored it; null when there is none. */
    public Attempt attempt() {
        return attempt;
    }

    /** Takes over the unresolved call of an earlier bundle of the same messages. */
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
        outcomes[position] = new PushOutcome.Duplicate(lanes[position].id(), messageId);
    }

    /** The positions of its undecided messages whose hash the partition knows. */
    List<Integer> suspects(PushLane lane) {
        List<Integer> suspects = new ArrayList<>(0);
        for (int i = 0; i < lanes.length && !lane.rule().isOff(); i++) {
            if (lanes[i] == lane && outcomes[i] == null && lane.window().find(items.get(i).hash()) >= 0) {
                suspects.add(i);
            }
        }
        return suspects;
    }

    /** Its own messages are stored: a call whose answer was lost has carried out all of it. */
    void foundStored() {
        isStored = true;
        drafted().forEach((lane, count) -> lane.numbers().pushed(lane.id(), count, false));
    }

    /** How many messages of each partition are stored. */
    private Map<PushLane, Integer> drafted() {
        Map<PushLane, Integer> counts = new LinkedHashMap<>();
        forEachStored((lane, _) -> counts.merge(lane, 1, Integer::sum));
        return counts;
    }

    /** Whether its own messages were found stored. */
    public boolean isStored() {
        return isStored;
    }

    /** Whether nothing is left to be stored. */
    public boolean isDecided() {
        return Arrays.stream(outcomes).noneMatch(Objects::isNull);
    }

    /**
     * What the next call stores, lane by lane, each transactionId once. Must be called once for each call.
     *
     * @throws io.queenmq.server.cipher.CipherException when one should be encrypted and cannot be
     */
    public Map<PushLane, SegmentDraft> drafts(Sealing sealing) {
        calls++;
        Map<PushLane, SegmentDraft> drafts = new LinkedHashMap<>();
        forEachStored((lane, item) -> {
            SegmentDraft draft = drafts.computeIfAbsent(lane, PushLane::newDraft);
            draft.add(sealing.isRequiredFor(lane) ? sealing.seal(item, lane, draft.nextOffset()) : item);
        });
        drafts.entrySet().stream().findFirst().ifPresent(each -> {
            SegmentDraft draft = each.getValue();
            attempt = new Attempt(each.getKey().id(), draft.known(), draft.item(0).messageId());
            unresolvedCalls++;
        });
        return drafts;
    }

    /** Visits the messages that are to be stored: of those that are duplicates of each other, the first. */
    private void forEachStored(BiConsumer<PushLane, PushItem> visitor) {
        Map<UUID, Set<String>> seen = new LinkedHashMap<>();
        for (int i = 0; i < lanes.length; i++) {
            PushLane lane = lanes[i];
            PushItem item = items.get(i);
            if (outcomes[i] == null && (lane.rule().isOff()
                    || seen.computeIfAbsent(lane.id(), _ -> new LinkedHashSet<>()).add(item.transactionId()))) {
                visitor.accept(lane, item);
            }
        }
    }

    /** The partitions whose queue was deleted, as far as the catalog knows. */
    public Set<UUID> deleted(Sealing sealing) {
        return lanes().stream().filter(sealing::isDeleted).map(PushLane::id).collect(Collectors.toSet());
    }

    /** Everything took effect: what is still open was stored, or is a twin of one that was. */
    public List<PushOutcome> committed() {
        Map<UUID, Map<String, UUID>> firsts = new LinkedHashMap<>();
        List<PushOutcome> all = new ArrayList<>(outcomes.length);
        for (int i = 0; i < outcomes.length; i++) {
            if (outcomes[i] == null) {
                PushItem item = items.get(i);
                UUID first = lanes[i].rule().isOff()
                        ? null
                        : firsts.computeIfAbsent(lanes[i].id(), _ -> new LinkedHashMap<>())
                                .putIfAbsent(item.transactionId(), item.messageId());
                outcomes[i] = first == null
                        ? new PushOutcome.Queued(lanes[i].id())
                        : new PushOutcome.Duplicate(lanes[i].id(), first);
            }
            all.add(outcomes[i]);
        }
        return all;
    }

    /** It was not stored: its messages to such lanes count as refused. */
    public void countRefused(PushRefusal reason, String error, Predicate<PushLane> isRefusing) {
        for (PushLane lane : lanes) {
            if (isRefusing.test(lane)) {
                lane.numbers().refused(reason, error);
            }
        }
    }

    /** Its place among all bundles, by arrival. */
    long number() {
        return number;
    }

    void setNumber(long number) {
        this.number = number;
    }

    /** Whether it has taken its partitions. */
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

    /** Whether a call was sent whose outcome is not known. */
    boolean isInDoubt() {
        return calls > answers;
    }
}
