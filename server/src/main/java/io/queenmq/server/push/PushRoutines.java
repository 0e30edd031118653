package io.queenmq.server.push;

import io.queenmq.server.lane.Hashes;
import io.queenmq.server.lane.Micros;
import io.queenmq.server.postgres.Link;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.UUID;

/** The SQL side of push: routines push and catch_up. */
final class PushRoutines {
    private final String push;
    private final String catchUp;
    private final int windowMessages;
    private final int windowSeconds;

    PushRoutines(String api, int windowMessages, int windowSeconds) {
        this.push = "select index, base, created_at from " + api + ".push($1, $2, $3, $4, $5, $6)";
        this.catchUp = "select index, head, known, counts, created_ats, hashes from " + api
                + ".catch_up($1, $2, $3, $4, $5, $6)";
        this.windowMessages = windowMessages;
        this.windowSeconds = windowSeconds;
    }

    /** Marks every draft whose segment was stored; the others' lanes have moved on, are locked or do not exist. */
    Future<Void> push(Link link, List<SegmentDraft> drafts, long encryptionEpoch) {
        return link.call(push, SegmentDraft.arguments(drafts).addLong(encryptionEpoch)).map(rows -> {
            for (Row row : rows) {
                drafts.get(row.getInteger(0) - 1).storedAt(row.getLong(1), Micros.of(row.getOffsetDateTime(2)));
            }
            return null;
        });
    }

    /** Teaches each lane's window what it does not know yet; a lane without a row has no queue any more. */
    Future<Void> catchUp(Link link, List<PushLane> lanes) {
        int size = lanes.size();
        UUID[] ids = new UUID[size];
        UUID[] queueIds = new UUID[size];
        String[] names = new String[size];
        Long[] knowns = new Long[size];
        for (int i = 0; i < size; i++) {
            PushLane lane = lanes.get(i);
            ids[i] = lane.id();
            queueIds[i] = lane.queue().id();
            names[i] = lane.name();
            knowns[i] = lane.window().known();
            lane.markMissing();
        }
        return link.call(catchUp, Tuple.of(ids, queueIds, names, knowns, windowMessages, windowSeconds)).map(rows -> {
            learn(lanes, rows);
            return null;
        });
    }

    private static void learn(List<PushLane> lanes, RowSet<Row> rows) {
        for (Row row : rows) {
            PushLane lane = lanes.get(row.getInteger(0) - 1);
            if (row.getLong(1) == null) {
                lane.markBusy();
                continue;
            }
            lane.markFound(row.getLong(1));
            lane.window().startAt(row.getLong(2));
            Integer[] counts = row.getArrayOfIntegers(3);
            if (counts == null) {
                continue;
            }
            OffsetDateTime[] createdAts = row.getArrayOfOffsetDateTimes(4);
            long[] hashes = Hashes.of(row.getBuffer(5));
            int from = 0;
            for (int i = 0; i < counts.length; i++) {
                lane.window().append(hashes, from, counts[i], Micros.of(createdAts[i]));
                from += counts[i];
            }
        }
    }
}
