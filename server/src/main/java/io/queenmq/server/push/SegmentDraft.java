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
    private final List<PushItem> items = new ArrayList<>();
    private int bytes;
    private long[] hashes;
    private byte[] body;
    private long base = -1;
    private long createdAtMicros;

    SegmentDraft(UUID partitionId, long known) {
        this.partitionId = partitionId;
        this.known = known;
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
