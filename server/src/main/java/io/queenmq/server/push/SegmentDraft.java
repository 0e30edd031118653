package io.queenmq.server.push;

import io.queenmq.server.lane.Segment;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** The messages that one call adds to one lane, as they will be stored. Owned by the engine loop. */
public final class SegmentDraft {
    private final UUID partitionId;
    private final long known;
    private final UUID limitedQueueId;
    private final List<PushItem> items = new ArrayList<>();
    private int bytes;
    private long[] hashes;
    private byte[] body;
    private long base = -1;
    private long createdAtMicros;
    private String refusal;

    /** @param limitedQueueId the queue, where that takes only so many messages; else null */
    SegmentDraft(UUID partitionId, long known, UUID limitedQueueId) {
        this.partitionId = partitionId;
        this.known = known;
        this.limitedQueueId = limitedQueueId;
    }

    public void add(PushItem item) {
        items.add(item);
        bytes += item.line().length;
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
        for (int i = 0; i < size; i++) {
            SegmentDraft draft = drafts.get(i);
            draft.join();
            ids[i] = draft.partitionId;
            knowns[i] = draft.known;
            counts[i] = draft.count();
            hashes[i] = draft.hashBytes();
            bodies[i] = Buffer.buffer(draft.body);
        }
        return Tuple.of(ids, knowns, counts, hashes, bodies);
    }

    /** For each draft its queue where that takes only so many messages, else null; empty when none does. */
    public static UUID[] limitedQueueIds(List<SegmentDraft> drafts) {
        boolean isLimited = drafts.stream().anyMatch(draft -> draft.limitedQueueId != null);
        return isLimited ? drafts.stream().map(draft -> draft.limitedQueueId).toArray(UUID[]::new) : new UUID[0];
    }

    /** Only so many of its messages had room; why the others had none is told to those who sent them. */
    void cutTo(int count, String refusal) {
        this.refusal = refusal;
        items.subList(count, items.size()).clear();
        bytes = 0;
        for (PushItem item : items) {
            bytes += item.line().length;
        }
        join();
    }

    /** Why messages were cut off; null when none was. */
    String refusal() {
        return refusal;
    }

    public void storedAt(long base, long createdAtMicros) {
        this.base = base;
        this.createdAtMicros = createdAtMicros;
    }

    boolean isStored() {
        return base >= 0;
    }

    Segment segment() {
        return new Segment(base, createdAtMicros, hashes, body);
    }

    void teach(DedupWindow window) {
        window.append(hashes, 0, hashes.length, createdAtMicros);
    }

    private void join() {
        body = new byte[bytes];
        hashes = new long[items.size()];
        int at = 0;
        for (int i = 0; i < hashes.length; i++) {
            PushItem item = items.get(i);
            System.arraycopy(item.line(), 0, body, at, item.line().length);
            at += item.line().length;
            hashes[i] = item.hash();
        }
    }

    private Buffer hashBytes() {
        Buffer buffer = Buffer.buffer(hashes.length * Long.BYTES);
        for (long hash : hashes) {
            buffer.appendLong(hash);
        }
        return buffer;
    }
}
