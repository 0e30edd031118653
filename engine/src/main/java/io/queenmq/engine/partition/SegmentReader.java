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
import org.jspecify.annotations.Nullable;

/**
 * Reads stored messages from the cache, or with the routine fetch if they are not cached. Messages read for consumers stay in
 * memory until they are written to the clients, so their bytes are counted. While the budget is used up, further reads wait.
 * One call returns a bounded number of bytes; a truncated read is continued by another call. Owned by the engine loop.
 */
public final class SegmentReader {
    /** The most reads per call in flight. Reads beyond that would be executed even if the budget is used up by then. */
    private static final int READS_PER_CALL_MAX = 32;

    /** The maximum wait of a read, because another server may have memory. */
    private static final long WAIT_MAX_NS = 10_000_000_000L;

    private static final Failure NO_MEMORY = new Failure.Unavailable(
            "too many messages are being sent to other consumers; try again later");

    private final SegmentCache cache;
    private final ByteBudget answers;
    private final Executor loop;
    private final Timers timers;
    private final ShardConnections connections;
    private final ShardBatches<Range, FetchRoutine.Fetched> fetches;
    private final FetchRoutine routine;
    private final int inFlightMax;
    private final List<ReadQueue> queues = new ArrayList<>();
    private long turns;

    /**
     * @param answers counts the bytes that are being sent to consumers
     * @param loop runs a task on the engine loop
     */
    public SegmentReader(EngineContext context, SegmentCache cache, ByteBudget answers, Executor loop) {
        this.cache = cache;
        this.answers = answers;
        this.loop = loop;
        this.timers = context.timers();
        this.inFlightMax = READS_PER_CALL_MAX * context.config().callsInFlightMax();
        this.routine = new FetchRoutine(context.apiSchema(), context.config().popBytesMax());
        this.connections = context.connections();
        for (int i = 0; i < context.connections().shards().count(); i++) {
            queues.add(new ReadQueue());
        }
        this.fetches = new ShardBatches<>(context, Operation.FETCH, Durability.RELAXED,
                range -> context.connections().shardOf(range.partitionId), new FetchCarrier());
    }

    /** Returns the cached segments. */
    public SegmentCache cache() {
        return cache;
    }

    /** Returns a share for the messages of one response. The caller must close it. */
    public Share openShare() {
        return answers.open();
    }

    /**
     * Reads for a consumer the segments that contain the offsets first to end - 1, in order. Segments that are no longer stored
     * are left out.
     *
     * @param share the bytes that are read are added to it
     * @param leaseNs the remaining time of the lease of the messages. The read fails after waiting for half of it, so that the
     *        lease is released before it expires: an expired lease would cost the messages an attempt without a delivery. 0 if
     *        the messages have no lease; then the read waits without limit
     */
    public void read(UUID partitionId, long first, long end, Share share, long leaseNs, Reply<List<Segment>> reply) {
        Range range = new Range(turns++, timers.nowNs(), new FetchRoutine.Wanted(partitionId, first, end), share,
                leaseNs, reply);
        ReadQueue queue = queueOf(range);
        if (queue.waiting.isEmpty() && queue.inFlight < inFlightMax && answers.isAvailable()) {
            read(range);
        } else {
            enqueue(range);
            awaitBudget();
        }
    }

    /**
     * Reads the segment that contains this offset. Replies with null if it is no longer stored. Not counted in the budget.
     *
     * @param sinceNs the arrival time of the request that waits for it
     */
    public void read(UUID partitionId, long offset, long sinceNs, Reply<@Nullable Segment> reply) {
        read(new Range(turns++, sinceNs, new FetchRoutine.Wanted(partitionId, offset, offset + 1), null, 0,
                Reply.of(segments -> reply.succeed(segments.isEmpty() ? null : segments.getFirst()), reply::fail)));
    }

    /** Returns the number of reads that wait for the budget. */
    public int waiting() {
        return queues.stream().mapToInt(queue -> queue.waiting.size()).sum();
    }

    private ReadQueue queueOf(Range range) {
        return queues.get(connections.shardOf(range.partitionId));
    }

    private void enqueue(Range range) {
        PriorityQueue<Range> waiting = queueOf(range).waiting;
        waiting.add(range);
        if (range.leaseNs > 0) {
            long waitUntilNs = range.sinceNs + Math.min(range.leaseNs / 2, WAIT_MAX_NS);
            range.alarm = timers.after(Math.max(0, waitUntilNs - timers.nowNs()), () -> {
                waiting.remove(range);
                range.reply.fail(NO_MEMORY);
            });
        }
    }

    /** Continues when bytes are released. Reads that only wait for calls in flight continue when these complete. */
    private void awaitBudget() {
        if (waiting() > 0 && !answers.isAvailable()) {
            answers.whenAvailable(() -> loop.execute(this::readWaiting));
        }
    }

    private void readWaiting() {
        for (ReadQueue queue = nextQueue(); queue != null && answers.isAvailable(); queue = nextQueue()) {
            Range next = queue.waiting.poll();
            if (next.alarm != null) {
                next.alarm.cancel();
                next.alarm = null;
            }
            read(next);
        }
        awaitBudget();
    }

    /** Returns the queue of the oldest read that can be executed now; null if there is none. */
    private @Nullable ReadQueue nextQueue() {
        ReadQueue next = null;
        for (ReadQueue queue : queues) {
            if (!queue.waiting.isEmpty() && queue.inFlight < inFlightMax
                    && (next == null || queue.waiting.peek().turn < next.waiting.peek().turn)) {
                next = queue;
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
                fetch(range);
                return;
            }
            cached.add(segment);
            at = segment.end();
        }
        cached.forEach(range::add);
        range.reply.succeed(range.found);
    }

    private void fetch(Range range) {
        queueOf(range).inFlight++;
        fetches.offer(range, range.sinceNs);
    }

    /** The waiting reads of one shard, and the number of its reads in flight. A slow shard must not delay reads of others. */
    private static final class ReadQueue {
        private final PriorityQueue<Range> waiting = new PriorityQueue<>(Comparator.comparingLong(range -> range.turn));
        private int inFlight;
    }

    /** A requested range, and the segments of it that were read so far. */
    private static final class Range {
        private final long turn;
        private final long sinceNs;
        private final UUID partitionId;
        private final long end;
        private final @Nullable Share share;
        private final long leaseNs;
        private final Reply<List<Segment>> reply;
        private final List<Segment> found = new ArrayList<>(1);
        private long first;
        private Timers.@Nullable Alarm alarm;

        Range(long turn, long sinceNs, FetchRoutine.Wanted wanted, @Nullable Share share, long leaseNs,
                Reply<List<Segment>> reply) {
            this.turn = turn;
            this.sinceNs = sinceNs;
            this.partitionId = wanted.partitionId();
            this.first = wanted.first();
            this.end = wanted.end();
            this.share = share;
            this.leaseNs = leaseNs;
            this.reply = reply;
        }

        void add(Segment segment) {
            found.add(segment);
            if (share != null) {
                share.add(segment.body().length);
            }
        }

        /**
         * Returns true if the read must not wait: it has read segments, whose bytes are released only after it completes, or it
         * is not counted in the budget.
         */
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
            queueOf(range).inFlight--;
            for (Segment segment : fetched.segments()) {
                cache.add(range.partitionId, segment);
                range.add(segment);
            }
            if (fetched.isComplete()) {
                range.reply.succeed(range.found);
            } else {
                range.first = fetched.truncatedAt();
                if (range.isUrgent()) {
                    fetch(range);
                } else {
                    enqueue(range);
                }
            }
            readWaiting();
        }

        @Override
        public void refuse(Range range, Failure failure) {
            queueOf(range).inFlight--;
            range.reply.fail(failure);
            readWaiting();
        }
    }
}
