package io.queenmq.server.lane;

import io.queenmq.server.config.EngineConfig;
import io.queenmq.server.postgres.Link;
import io.queenmq.server.postgres.Links;
import io.queenmq.server.reply.Failure;
import io.queenmq.server.reply.Reply;
import io.queenmq.server.time.Timers;
import io.queenmq.server.wave.Carrier;
import io.queenmq.server.wave.Operation;
import io.queenmq.server.wave.WaveMeters;
import io.queenmq.server.wave.Waves;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Reads stored messages: from memory where it can, with routine fetch where it must. Owned by the engine loop. */
public final class SegmentReader {
    private final SegmentCache cache;
    private final Waves<Range, List<Segment>> fetches;
    private final String fetch;

    public SegmentReader(String apiSchema, SegmentCache cache, Links links, Timers timers, EngineConfig config,
            WaveMeters meters) {
        this.cache = cache;
        this.fetch = "select index, base, created_at, hashes, body from " + apiSchema + ".fetch($1, $2, $3)";
        this.fetches = new Waves<>(Operation.FETCH, links, timers, config, meters, new FetchCarrier());
    }

    /** The segments that hold the offsets first to end - 1, in order; fewer where some are not kept any more. */
    public void read(UUID partitionId, long first, long end, Reply<List<Segment>> reply) {
        List<Segment> cached = new ArrayList<>(1);
        long at = first;
        while (at < end) {
            Segment segment = cache.find(partitionId, at);
            if (segment == null) {
                fetches.offer(new Range(partitionId, first, end, reply));
                return;
            }
            cached.add(segment);
            at = segment.end();
        }
        reply.succeed(cached);
    }

    /** The segment that holds this offset, or null where it is not kept any more. */
    public void read(UUID partitionId, long offset, Reply<Segment> reply) {
        read(partitionId, offset, offset + 1,
                Reply.of(segments -> reply.succeed(segments.isEmpty() ? null : segments.getFirst()), reply::fail));
    }

    private record Range(UUID partitionId, long first, long end, Reply<List<Segment>> reply) {}

    private final class FetchCarrier implements Carrier<Range, List<Segment>> {
        @Override
        public Future<List<List<Segment>>> carry(Link link, List<Range> wave) {
            UUID[] ids = new UUID[wave.size()];
            Long[] firsts = new Long[wave.size()];
            Long[] ends = new Long[wave.size()];
            List<List<Segment>> found = new ArrayList<>(wave.size());
            for (int i = 0; i < ids.length; i++) {
                ids[i] = wave.get(i).partitionId;
                firsts[i] = wave.get(i).first;
                ends[i] = wave.get(i).end;
                found.add(new ArrayList<>());
            }
            return link.call(fetch, Tuple.of(ids, firsts, ends)).map(rows -> {
                for (Row row : rows) {
                    int index = row.getInteger(0) - 1;
                    Segment segment = new Segment(row.getLong(1), Micros.of(row.getOffsetDateTime(2)),
                            Hashes.of(row.getBuffer(3)), row.getBuffer(4).getBytes());
                    cache.add(ids[index], segment);
                    found.get(index).add(segment);
                }
                return found;
            });
        }

        @Override
        public void settle(Range range, List<Segment> segments) {
            range.reply.succeed(segments);
        }

        @Override
        public void refuse(Range range, Failure failure) {
            range.reply.fail(failure);
        }
    }
}
