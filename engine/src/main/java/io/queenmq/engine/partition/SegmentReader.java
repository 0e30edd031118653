package io.queenmq.engine.partition;

import io.queenmq.engine.batch.Carrier;
import io.queenmq.engine.batch.EngineContext;
import io.queenmq.engine.batch.Operation;
import io.queenmq.engine.batch.ShardBatches;
import io.queenmq.engine.budget.ByteBudget;
import io.queenmq.engine.budget.ByteBudget.Share;
import io.queenmq.engine.connection.Connection;
import io.queenmq.engine.connection.ConnectionPool.Durability;
import io.queenmq.engine.connection.ShardConnections;
import io.queenmq.engine.reply.Failure;
import io.queenmq.engine.reply.Reply;
import io.queenmq.engine.time.Timers;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.UUID;
import java.util.concurrent.Executor;

/**
 * Reads stored messages: from memory where it can, with routine fetch where it must. What is read for consumers stays in
 * memory until it is written to them, so it is counted; while too much is, others wait in line. One call brings only so
 * many bytes, and what it leaves out is asked for again. Owned by the engine loop.
 */
public final class SegmentReader {
    /** More than one call takes would be read although there is no room any more when their turn comes. */
    private static final int ASKED_PER_CALL_MAX = 32;

    /** A lease is running meanwhile, and another server may have room. */
    private static final long WAIT_MAX_NS = 10_000_000_000L;

    private static final Failure NO_ROOM = new Failure.Unavailable(
            "too many messages are on their way to other consumers");

    private final SegmentCache cache;
    private final ByteBudget answers;
    private final Executor loop;
    private final Timers timers;
    private final ShardConnections connections;
    private final ShardBatches<Range, FetchRoutine.Fetched> fetches;
    private final FetchRoutine routine;
    private final int askedMax;
    private final List<Line> lines = new ArrayList<>();
    private long turns;

    /**
     * @param answers counts what is on its way to consumers
     * @param loop brings a task to the engine loop
     */
    public SegmentReader(EngineContext context, SegmentCache cache, ByteBudget answers, Executor loop) {
        this.cache = cache;
        this.answers = answers;
        this.loop = loop;
        this.timers = context.timers();
        this.askedMax = ASKED_PER_CALL_MAX * context.config().callsInFlightMax();
        this.routine = new FetchRoutine(context.apiSchema(), context.config().popBytesMax());
        this.connections = context.connections();
        for (int i = 0; i < context.connections().shards().count(); i++) {
            lines.add(new Line());
        }
        this.fetches = new ShardBatches<>(context, Operation.FETCH, Durability.RELAXED,
                range -> context.connections().shardOf(range.partitionId), new FetchCarrier());
    }

    /** Returns the segments in memory. */
    public SegmentCache cache() {
        return cache;
    }

    /** For what one consumer is going to be sent; whoever opens it closes it. */
    public Share openShare() {
        return answers.open();
    }

    /**
     * Reads for a consumer: the segments that hold the offsets first to end - 1, in order; fewer where some are not kept
     * any more.
     *
     * @param share what is read is added to it
     * @param canGiveUp fails when there was no room for a long time; otherwise it waits for as long as it takes
     */
    public void read(UUID partitionId, long first, long end, Share share, boolean canGiveUp,
            Reply<List<Segment>> reply) {
        Range range = new Range(turns++, timers.nowNs(), partitionId, first, end, share, canGiveUp, reply);
        Line line = lineOf(range);
        if (line.waiting.isEmpty() && line.asked < askedMax && answers.hasRoom()) {
            read(range);
        } else {
            waitInLine(range);
            awaitRoom();
        }
    }

    /**
     * Looks something up: the segment that holds this offset, or null where it is not kept any more.
     *
     * @param sinceNs when the request came that waits for it
     */
    public void read(UUID partitionId, long offset, long sinceNs, Reply<Segment> reply) {
        read(new Range(turns++, sinceNs, partitionId, offset, offset + 1, null, false,
                Reply.of(segments -> reply.succeed(segments.isEmpty() ? null : segments.getFirst()), reply::fail)));
    }

    /** How many reads wait for room. */
    public int waiting() {
        return lines.stream().mapToInt(line -> line.waiting.size()).sum();
    }

    private Line lineOf(Range range) {
        return lines.get(connections.shardOf(range.partitionId));
    }

    private void waitInLine(Range range) {
        PriorityQueue<Range> waiting = lineOf(range).waiting;
        waiting.add(range);
        if (range.canGiveUp) {
            range.alarm = timers.after(WAIT_MAX_NS, () -> {
                waiting.remove(range);
                range.reply.fail(NO_ROOM);
            });
        }
    }

    /** Who waits for the calls to come back is called by them; the others when something was written. */
    private void awaitRoom() {
        if (waiting() > 0 && !answers.hasRoom()) {
            answers.whenRoom(() -> loop.execute(this::goOn));
        }
    }

    private void goOn() {
        for (Line line = nextLine(); line != null && answers.hasRoom(); line = nextLine()) {
            Range next = line.waiting.poll();
            if (next.alarm != null) {
                next.alarm.cancel();
                next.alarm = null;
            }
            read(next);
        }
        awaitRoom();
    }

    /** Where the first stands whose call can be made; null when nobody's can. */
    private Line nextLine() {
        Line next = null;
        for (Line line : lines) {
            if (!line.waiting.isEmpty() && line.asked < askedMax
                    && (next == null || line.waiting.peek().turn < next.waiting.peek().turn)) {
                next = line;
            }
        }
        return next;
    }

    private void read(Range range) {
        List<Segment> cached = new ArrayList<>(1);
        long at = range.first;
        while (at < range.end) {
            Segment segment = cache.find(range.partitionId, at);
            if (segment == null) {
                ask(range);
                return;
            }
            cached.add(segment);
            at = segment.end();
        }
        cached.forEach(range::add);
        range.reply.succeed(range.found);
    }

    private void ask(Range range) {
        lineOf(range).asked++;
        fetches.offer(range, range.sinceNs);
    }

    /** Those who wait to read in one shard, and how many calls wait for it: a slow one holds up nobody else. */
    private static final class Line {
        private final PriorityQueue<Range> waiting = new PriorityQueue<>(
                Comparator.comparingLong(range -> range.turn));
        private int asked;
    }

    /** What one reader wants, and what was found of it so far. */
    private static final class Range {
        private final long turn;
        private final long sinceNs;
        private final UUID partitionId;
        private final long end;
        private final Share share;
        private final boolean canGiveUp;
        private final Reply<List<Segment>> reply;
        private final List<Segment> found = new ArrayList<>(1);
        private long first;
        private Timers.Alarm alarm;

        Range(long turn, long sinceNs, UUID partitionId, long first, long end, Share share, boolean canGiveUp,
                Reply<List<Segment>> reply) {
            this.turn = turn;
            this.sinceNs = sinceNs;
            this.partitionId = partitionId;
            this.first = first;
            this.end = end;
            this.share = share;
            this.canGiveUp = canGiveUp;
            this.reply = reply;
        }

        void add(Segment segment) {
            found.add(segment);
            if (share != null) {
                share.add(segment.body().length);
            }
        }

        /** What has begun to be read goes on at once, because it cannot leave otherwise; so does what counts nothing. */
        boolean isUrgent() {
            return !found.isEmpty() || share == null;
        }
    }

    private final class FetchCarrier implements Carrier<Range, FetchRoutine.Fetched> {
        @Override
        public Future<List<FetchRoutine.Fetched>> carry(Connection connection, List<Range> batch) {
            return routine.fetch(connection, batch.stream()
                    .map(range -> new FetchRoutine.Wanted(range.partitionId, range.first, range.end)).toList());
        }

        @Override
        public void settle(Range range, FetchRoutine.Fetched fetched) {
            lineOf(range).asked--;
            for (Segment segment : fetched.segments()) {
                cache.add(range.partitionId, segment);
                range.add(segment);
            }
            if (fetched.isComplete()) {
                range.reply.succeed(range.found);
            } else {
                range.first = fetched.goOnAt();
                if (range.isUrgent()) {
                    ask(range);
                } else {
                    waitInLine(range);
                }
            }
            goOn();
        }

        @Override
        public void refuse(Range range, Failure failure) {
            lineOf(range).asked--;
            range.reply.fail(failure);
            goOn();
        }
    }
}
