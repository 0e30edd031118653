package io.queenmq.engine.unit;

import io.queenmq.engine.push.PushPartition;
import io.queenmq.engine.push.SegmentDraft;
import java.util.List;
import java.util.Map;

/** The segments that the call of a unit of work appends. */
public record UnitDrafts(Map<PushPartition, SegmentDraft> drafts) {
    public static final UnitDrafts NONE = new UnitDrafts(Map.of());

    public List<SegmentDraft> segments() {
        return List.copyOf(drafts.values());
    }
}
