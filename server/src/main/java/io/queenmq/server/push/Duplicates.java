package io.queenmq.server.push;

import io.queenmq.server.lane.SegmentReader;
import io.queenmq.server.lane.StoredLine;
import io.queenmq.server.reply.Reply;
import java.util.UUID;

/** Tells whether a message whose hash is known already is a duplicate: its transactionId itself decides. */
public final class Duplicates {
    /** What the stored message says. */
    public sealed interface Verdict {
        /** Another transactionId with the same hash, or a message that is not kept any more. */
        record Unique() implements Verdict {}

        /** It is this very message: the call that stored it lost its connection before it could say so. */
        record Itself() implements Verdict {}

        /** @param createdAtMicros when that one was stored */
        record DuplicateOf(UUID messageId, long createdAtMicros) implements Verdict {}
    }

    private final SegmentReader reader;

    public Duplicates(SegmentReader reader) {
        this.reader = reader;
    }

    /** Whether there is anything to examine. */
    public boolean isSuspect(PushLane lane, PushItem item) {
        return lane.window().find(item.hash()) >= 0;
    }

    /** @param sinceNs when the request came that waits for the verdict */
    public void examine(PushLane lane, PushItem item, long sinceNs, Reply<Verdict> reply) {
        long offset = lane.window().find(item.hash());
        if (offset < 0) {
            reply.succeed(new Verdict.Unique());
            return;
        }
        reader.read(lane.id(), offset, sinceNs, Reply.of(segment -> {
            if (segment == null) {
                reply.succeed(new Verdict.Unique());
                return;
            }
            int lineStart = segment.lineStart((int) (offset - segment.base()));
            UUID stored = StoredLine.messageId(segment.body(), lineStart);
            if (!StoredLine.isSameTransaction(segment.body(), lineStart, item.line(), 0)) {
                reply.succeed(new Verdict.Unique());
            } else if (stored.equals(item.messageId())) {
                reply.succeed(new Verdict.Itself());
            } else {
                reply.succeed(new Verdict.DuplicateOf(stored, segment.createdAtMicros()));
            }
        }, reply::fail));
    }
}
