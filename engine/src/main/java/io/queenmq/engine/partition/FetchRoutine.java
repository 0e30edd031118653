package io.queenmq.engine.partition;

import io.netty.buffer.ByteBuf;
import io.queenmq.engine.connection.Connection;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.buffer.BufferInternal;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Calls the routine fetch. */
final class FetchRoutine {
    private final String fetch;
    private final long bytesPerCall;

    /** @param bytesPerCall the maximum number of bytes that one call returns, unless one segment is larger */
    FetchRoutine(String api, long bytesPerCall) {
        this.fetch = "select index, base, created_at, hashes, body from " + api + ".fetch($1, $2, $3, $4)";
        this.bytesPerCall = bytesPerCall;
    }

    /** The offsets first to end - 1 of a partition. */
    record Wanted(UUID partitionId, long first, long end) {}

    /**
     * The segments of a range that one call returned.
     *
     * @param truncatedAt the offset at which the call stopped; {@link #NOT_TRUNCATED} if it returned the whole range
     */
    record Fetched(List<Segment> segments, long truncatedAt) {
        private static final long NOT_TRUNCATED = -1;

        boolean isComplete() {
            return truncatedAt == NOT_TRUNCATED;
        }
    }

    /** Returns the segments of each range, in the order of the ranges. */
    Future<List<Fetched>> fetch(Connection connection, List<Wanted> ranges) {
        UUID[] ids = new UUID[ranges.size()];
        Long[] firsts = new Long[ranges.size()];
        Long[] ends = new Long[ranges.size()];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = ranges.get(i).partitionId;
            firsts[i] = ranges.get(i).first;
            ends[i] = ranges.get(i).end;
        }
        return connection.call(fetch, Tuple.of(ids, firsts, ends, bytesPerCall)).map(rows -> {
            List<Fetched> fetched = new ArrayList<>(ids.length);
            for (int i = 0; i < ids.length; i++) {
                fetched.add(new Fetched(new ArrayList<>(1), Fetched.NOT_TRUNCATED));
            }
            for (Row row : rows) {
                int index = row.getInteger(0) - 1;
                if (row.getBuffer(4) == null) {
                    fetched.set(index, new Fetched(fetched.get(index).segments, row.getLong(1)));
                } else {
                    fetched.get(index).segments.add(new Segment(row.getLong(1), Micros.of(row.getOffsetDateTime(2)),
                            Hashes.of(row.getBuffer(3)), bytesOf(row.getBuffer(4))));
                }
            }
            return fetched;
        });
    }

    /** Returns the array that the driver made for this value, without a copy if the value fills it. */
    private static byte[] bytesOf(Buffer buffer) {
        ByteBuf bytes = ((BufferInternal) buffer).getByteBuf();
        return bytes.hasArray() && bytes.array().length == bytes.readableBytes() ? bytes.array() : buffer.getBytes();
    }
}
