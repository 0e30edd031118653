package io.queenmq.engine.unit;

import io.queenmq.engine.partition.Segment;
import io.queenmq.engine.push.PushPartition;
import io.queenmq.engine.push.SegmentDraft;
import io.queenmq.engine.push.StoredSegments;
import java.util.List;
import java.util.Map;

/** The segments that the call of a unit of work appends. */
public record UnitDrafts(Map<PushPartition, SegmentDraft> drafts) {
    public static final UnitDrafts NONE = new UnitDrafts(Map.of());

    public List<SegmentDraft> segments() {
        return List.copyOf(drafts.values());
    }

    /** Records the stored segments, given in the order of the drafts. Must be called before the partitions are freed. */
    void record(StoredSegments stored, List<Segment> segments) {
        int i = 0;
        for (Map.Entry<PushPartition, SegmentDraft> each : drafts.entrySet()) {
            stored.record(each.getKey(), segments.get(i++), each.getValue().isFirst());
        }
    }

    /** Signals the arrival of the stored segments. Must be called after the client was answered. */
    void announce(StoredSegments stored, List<Segment> segments) {
        int i = 0;
        for (PushPartition partition : drafts.keySet()) {
            stored.announce(partition, segments.get(i++));
        }
    }
}
