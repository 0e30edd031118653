package io.queenmq.engine.partition;

/** A segment in the {@link SegmentCache}, linked to those that were added before and after it. Owned by the engine loop. */
final class CachedSegment {
    private final SegmentRow row;
    private final Segment segment;
    CachedSegment older;
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
