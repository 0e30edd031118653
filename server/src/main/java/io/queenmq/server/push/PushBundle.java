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
import java.util.function.Predicate;

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
    private int attempts;

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

    void duplicateOf(int position, UUID messageId) {
        outcomes[position] = new PushOutcome.Duplicate(lanes[position].id(), messageId);
    }

    /** One of its own messages is stored: a call whose answer was lost has carried out all of it. */
    void foundStored(int position) {
        isStored = true;
        outcomes[position] = new PushOutcome.Queued(lanes[position].id());
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
     * What is to be stored, lane by lane, each transactionId once.
     *
     * @throws io.queenmq.server.cipher.CipherException when one should be encrypted and cannot be
     */
    public Map<PushLane, SegmentDraft> drafts(Sealing sealing) {
        Map<PushLane, SegmentDraft> drafts = new LinkedHashMap<>();
        Map<UUID, Set<String>> seen = new LinkedHashMap<>();
        for (int i = 0; i < lanes.length; i++) {
            PushLane lane = lanes[i];
            PushItem item = items.get(i);
            if (outcomes[i] == null
                    && seen.computeIfAbsent(lane.id(), _ -> new LinkedHashSet<>()).add(item.transactionId())) {
                drafts.computeIfAbsent(lane, PushLane::newDraft)
                        .add(sealing.isRequiredFor(lane) ? sealing.seal(item) : item);
            }
        }
        return drafts;
    }

    /** Everything took effect: what is still open was stored, or is a twin of one that was. */
    public List<PushOutcome> committed() {
        Map<UUID, Map<String, UUID>> firsts = new LinkedHashMap<>();
        List<PushOutcome> all = new ArrayList<>(outcomes.length);
        for (int i = 0; i < outcomes.length; i++) {
            if (outcomes[i] == null) {
                PushItem item = items.get(i);
                UUID first = firsts.computeIfAbsent(lanes[i].id(), _ -> new LinkedHashMap<>())
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

    int countAttempt() {
        return ++attempts;
    }
}
