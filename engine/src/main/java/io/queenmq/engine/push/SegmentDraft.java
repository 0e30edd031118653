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
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The messages that one call appends to one partition, as they will be stored. Owned by the engine loop. */
public final class SegmentDraft {
    private final UUID partitionId;
    private final long known;
    private final boolean isFirst;
    private final @Nullable UUID limitedQueueId;
    private final @Nullable UUID newPartitionQueueId;
    private final @Nullable String newPartitionName;
    private final List<PushItem> items = new ArrayList<>();
    /** The time at which each item was accepted, for items from a spool; otherwise empty. */
    private final List<OffsetDateTime> acceptedAts = new ArrayList<>(0);
    private int bytes;
    private int largestLine;
    private @Nullable Content content;

    /**
     * @param isFirst true if the partition has had no message yet
     * @param limitedQueueId the queue, if it has a maximum size; otherwise null
     */
    SegmentDraft(UUID partitionId, long known, boolean isFirst, @Nullable UUID limitedQueueId) {
        this(partitionId, known, isFirst, limitedQueueId, null, null);
    }

    private SegmentDraft(UUID partitionId, long known, boolean isFirst, @Nullable UUID limitedQueueId,
            @Nullable UUID newPartitionQueueId, @Nullable String newPartitionName) {
        this.partitionId = partitionId;
        this.known = known;
        this.isFirst = isFirst;
        this.limitedQueueId = limitedQueueId;
        this.newPartitionQueueId = newPartitionQueueId;
        this.newPartitionName = newPartitionName;
    }

    /** Returns a draft of the first segment of a new partition. It is stored only if the partition does not exist yet. */
    static SegmentDraft ofNewPartition(UUID partitionId, UUID queueId, String name) {
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

    /** Returns the head of the partition at the duplicate check: the offset of the first message, if it is stored. */
    long known() {
        return known;
    }

    /** Returns the offset of the message that is added next, if the segment is stored; negative for a new partition. */
    long nextOffset() {
        return known < 0 ? known : known + items.size();
    }

    int count() {
        return items.size();
    }

    PushItem item(int position) {
        return items.get(position);
    }

    /** Returns the arguments of the routines push and transact for the segments. */
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
            Content content = draft.assemble();
            ids[i] = draft.partitionId;
            knowns[i] = draft.known;
            counts[i] = draft.count();
            hashes[i] = Hashes.bytesOf(content.hashes);
            bodies[i] = BufferInternal.buffer(Unpooled.wrappedBuffer(content.body));
            largestLines[i] = draft.largestLine;
        }
        return Tuple.of(ids, knowns, counts, hashes, bodies, largestLines);
    }

    /** Returns for each draft its queue, if the queue has a maximum size, otherwise null; empty if no queue has. */
    public static @Nullable UUID[] limitedQueueIds(List<SegmentDraft> drafts) {
        boolean isLimited = drafts.stream().anyMatch(draft -> draft.limitedQueueId != null);
        return isLimited ? drafts.stream().map(draft -> draft.limitedQueueId).toArray(UUID[]::new) : new UUID[0];
    }

    /** Returns for each draft of a new partition the queue of the partition, otherwise null; null if there is no such draft. */
    static @Nullable UUID @Nullable [] newPartitionQueueIds(List<SegmentDraft> drafts) {
        boolean isAny = drafts.stream().anyMatch(draft -> draft.newPartitionQueueId != null);
        return isAny ? drafts.stream().map(draft -> draft.newPartitionQueueId).toArray(UUID[]::new) : null;
    }

    /** Returns for each draft of a new partition the name of the partition, otherwise null; null if there is no such draft. */
    static @Nullable String @Nullable [] newPartitionNames(List<SegmentDraft> drafts) {
        boolean isAny = drafts.stream().anyMatch(draft -> draft.newPartitionName != null);
        return isAny ? drafts.stream().map(draft -> draft.newPartitionName).toArray(String[]::new) : null;
    }

    /** Returns the times at which messages of the drafts were accepted, draft after draft; null if none is from a spool. */
    static OffsetDateTime @Nullable [] acceptedAts(List<SegmentDraft> drafts) {
        List<OffsetDateTime> all = new ArrayList<>(0);
        drafts.forEach(draft -> all.addAll(draft.acceptedAts));
        return all.isEmpty() ? null : all.toArray(OffsetDateTime[]::new);
    }

    /**
     * Returns for each draft the position of its first time in {@link #acceptedAts}, counted from 1; null for a draft without
     * times. Returns null if no draft has times.
     */
    static @Nullable Integer @Nullable [] acceptedPlaces(List<SegmentDraft> drafts) {
        @Nullable
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
    public @Nullable Segment stored(StoreAnswer answer) {
        return switch (answer) {
            case StoreAnswer.Stored(var base, var createdAtMicros) ->
                new Segment(base, createdAtMicros, content().hashes, content().body);
            case StoreAnswer.Truncated(var count, var base, var createdAtMicros, _) -> count == 0
                    ? null
                    : new Segment(base, createdAtMicros, Arrays.copyOf(content().hashes, count),
                            Arrays.copyOf(content().body, bytesOf(count)));
            case StoreAnswer.Nothing _, StoreAnswer.NotStored _, StoreAnswer.Outdated _ -> null;
        };
    }

    private Content content() {
        return Objects.requireNonNull(content, "the arguments were not made");
    }

    private int bytesOf(int count) {
        return items.subList(0, count).stream().mapToInt(item -> item.line().length).sum();
    }

    /** Returns true if these are the first messages of the partition, which may have been created again. */
    public boolean isFirst() {
        return isFirst;
    }

    private Content assemble() {
        long[] hashes = new long[items.size()];
        if (hashes.length == 1) {
            hashes[0] = items.getFirst().hash();
            // The one line is the body, without a copy: it may be large, and is never changed.
            content = new Content(hashes, items.getFirst().line());
            return content;
        }
        byte[] body = new byte[bytes];
        int at = 0;
        for (int i = 0; i < hashes.length; i++) {
            PushItem item = items.get(i);
            System.arraycopy(item.line(), 0, body, at, item.line().length);
            at += item.line().length;
            hashes[i] = item.hash();
        }
        content = new Content(hashes, body);
        return content;
    }

    /** The hashes and the lines of all items, as they are stored. */
    private record Content(long[] hashes, byte[] body) {}
}
