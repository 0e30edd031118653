package io.queenmq.engine.push;

import io.netty.buffer.Unpooled;
import io.queenmq.engine.command.PushItem;
import io.queenmq.engine.partition.Hashes;
import io.queenmq.engine.partition.Micros;
import io.queenmq.engine.partition.Segment;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.buffer.BufferInternal;
import io.vertx.sqlclient.Tuple;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

/** The messages that one call appends to one partition, as they will be stored. Owned by the engine loop. */
public final class SegmentDraft {
    private final UUID partitionId;
    private final long known;
    private final boolean isFirst;
    private final UUID limitedQueueId;
    private final UUID queueIdToBeginIn;
    private final String nameToBeginWith;
    private final List<PushItem> items = new ArrayList<>();
    /** When each item was accepted, for items from a spool; else empty. */
    private final List<OffsetDateTime> acceptedAts = new ArrayList<>(0);
    private int bytes;
    private int largestLine;
    private long[] hashes;
    private byte[] body;

    /**
     * @param isFirst whether the partition has had no message yet
     * @param limitedQueueId the queue, where that takes only so many messages; else null
     */
    SegmentDraft(UUID partitionId, long known, boolean isFirst, UUID limitedQueueId) {
        this(partitionId, known, isFirst, limitedQueueId, null, null);
    }

    private SegmentDraft(UUID partitionId, long known, boolean isFirst, UUID limitedQueueId, UUID queueIdToBeginIn,
            String nameToBeginWith) {
        this.partitionId = partitionId;
        this.known = known;
        this.isFirst = isFirst;
        this.limitedQueueId = limitedQueueId;
        this.queueIdToBeginIn = queueIdToBeginIn;
        this.nameToBeginWith = nameToBeginWith;
    }

    /** A draft with which the partition begins: it is stored if the partition does not exist yet, and otherwise not. */
    static SegmentDraft beginning(UUID partitionId, UUID queueId, String name) {
        return new SegmentDraft(partitionId, -1, true, null, queueId, name);
    }

    public void add(PushItem item) {
        items.add(item);
        bytes += item.line().length;
        largestLine = Math.max(largestLine, item.line().length);
    }

    /** Adds a message from a spool, which was accepted before it is stored. All messages of the draft are of that kind. */
    void addSpooled(PushItem item, long acceptedMicros) {
        add(item);
        acceptedAts.add(Micros.moment(acceptedMicros));
    }

    /** The head of the partition that the duplicate check was made against: the offset of the first message, if it is stored. */
    long known() {
        return known;
    }

    /** The offset of the message that is added next, if the segment is stored; negative when it begins a partition. */
    long nextOffset() {
        return known < 0 ? known : known + items.size();
    }

    int count() {
        return items.size();
    }

    PushItem item(int position) {
        return items.get(position);
    }

    /** The arguments the routines push and transact expect of segments to be appended. */
    public static Tuple arguments(List<SegmentDraft> drafts) {
        int size = drafts.size();
        UUID[] ids = new UUID[size];
        Long[] knowns = new Long[size];
        Integer[] counts = new Integer[size];
        Buffer[] hashes = new Buffer[size];
        Buffer[] bodies = new Buffer[size];
        Integer[] largestLines = new Integer[size];
        for (int i = 0; i < size; i++) {
            SegmentDraft draft = drafts.get(i);
            draft.join();
            ids[i] = draft.partitionId;
            knowns[i] = draft.known;
            counts[i] = draft.count();
            hashes[i] = Hashes.bytesOf(draft.hashes);
            bodies[i] = BufferInternal.buffer(Unpooled.wrappedBuffer(draft.body));
            largestLines[i] = draft.largestLine;
        }
        return Tuple.of(ids, knowns, counts, hashes, bodies, largestLines);
    }

    /** For each draft its queue where that takes only so many messages, else null; empty when none does. */
    public static UUID[] limitedQueueIds(List<SegmentDraft> drafts) {
        boolean isLimited = drafts.stream().anyMatch(draft -> draft.limitedQueueId != null);
        return isLimited ? drafts.stream().map(draft -> draft.limitedQueueId).toArray(UUID[]::new) : new UUID[0];
    }

    /** For each draft with which a partition begins the partition's queue, else null; null when there is none. */
    static UUID[] queueIdsToBeginIn(List<SegmentDraft> drafts) {
        boolean isAny = drafts.stream().anyMatch(draft -> draft.queueIdToBeginIn != null);
        return isAny ? drafts.stream().map(draft -> draft.queueIdToBeginIn).toArray(UUID[]::new) : null;
    }

    /** For each draft with which a partition begins the partition's name, else null; null when there is none. */
    static String[] namesToBeginWith(List<SegmentDraft> drafts) {
        boolean isAny = drafts.stream().anyMatch(draft -> draft.nameToBeginWith != null);
        return isAny ? drafts.stream().map(draft -> draft.nameToBeginWith).toArray(String[]::new) : null;
    }

    /** The times at which messages of the drafts were accepted, draft after draft; null when none comes from a spool. */
    static OffsetDateTime[] acceptedAts(List<SegmentDraft> drafts) {
        List<OffsetDateTime> all = new ArrayList<>(0);
        drafts.forEach(draft -> all.addAll(draft.acceptedAts));
        return all.isEmpty() ? null : all.toArray(OffsetDateTime[]::new);
    }

    /** Where the times of each draft begin in {@link #acceptedAts}, counted from 1, or null; null when there are none. */
    static Integer[] acceptedPlaces(List<SegmentDraft> drafts) {
        Integer[] places = new Integer[drafts.size()];
        int place = 1;
        for (int i = 0; i < places.length; i++) {
            int count = drafts.get(i).acceptedAts.size();
            places[i] = count == 0 ? null : Integer.valueOf(place);
            place += count;
        }
        return place == 1 ? null : places;
    }

    /** Returns the segment that is stored, given the answer; null if none is. Must be called after {@link #arguments}. */
    public Segment stored(StoreAnswer answer) {
        return switch (answer) {
            case StoreAnswer.Stored(var base, var createdAtMicros) ->
                new Segment(base, createdAtMicros, hashes, body);
            case StoreAnswer.Truncated(var count, var base, var createdAtMicros, _) -> count == 0
                    ? null
                    : new Segment(base, createdAtMicros, Arrays.copyOf(hashes, count),
                            Arrays.copyOf(body, bytesOf(count)));
            case StoreAnswer.Nothing _, StoreAnswer.NotStored _, StoreAnswer.Outdated _ -> null;
        };
    }

    private int bytesOf(int count) {
        return items.subList(0, count).stream().mapToInt(item -> item.line().length).sum();
    }

    /** Returns true if these are the first messages of the partition, which may have been created again. */
    public boolean isFirst() {
        return isFirst;
    }

    private void join() {
        hashes = new long[items.size()];
        if (hashes.length == 1) {
            // The one line is the body, without a copy: it may be large, and is never changed.
            body = items.getFirst().line();
            hashes[0] = items.getFirst().hash();
            return;
        }
        body = new byte[bytes];
        int at = 0;
        for (int i = 0; i < hashes.length; i++) {
            PushItem item = items.get(i);
            System.arraycopy(item.line(), 0, body, at, item.line().length);
            at += item.line().length;
            hashes[i] = item.hash();
        }
    }
}
