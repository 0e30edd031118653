package io.queenmq.engine.partition;

import org.jspecify.annotations.Nullable;

/**
 * A segment in the {@link SegmentCache}, linked to the segments that were added before and after it. Owned by the engine loop.
 */
final class CachedSegment {
    private final SegmentRow row;
    private final Segment segment;
    @Nullable
    CachedSegment older;
    @Nullable
    CachedSegment newer;

    CachedSegment(SegmentRow row, Segment segment) {
        this.row = row;
        this.segment = segment;
    }

    SegmentRow row() {
        return row;
    }

    Segment segment() {
        return segment;
    }

    long base() {
        return segment.base();
    }
}
