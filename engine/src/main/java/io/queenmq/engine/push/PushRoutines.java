package io.queenmq.engine.push;

import io.queenmq.engine.connection.Connection;
import io.queenmq.engine.connection.DatabaseHistory;
import io.queenmq.engine.connection.SqlFailure;
import io.queenmq.engine.partition.Hashes;
import io.queenmq.engine.partition.Micros;
import io.vertx.core.Future;
import io.vertx.core.VertxException;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.time.OffsetDateTime;
import java.util.Collections;
import java.util.List;
import java.util.UUID;

/** The SQL side of push: routines push, push_bounded and catch_up. */
final class PushRoutines {
    private final String push;
    private final String pushSpooled;
    private final String pushBounded;
    private final String catchUp;
    private final int windowMessages;
    private final DatabaseHistory history;

    /** @param windowMessages how many messages back transactionIds are remembered */
    PushRoutines(String api, int windowMessages, DatabaseHistory history) {
        this.history = history;
        String stored = "select index, base, created_at from " + api + ".push($1, $2, $3, $4, $5, $6, $7, $8, $9";
        this.push = stored + ")";
        this.pushSpooled = stored + ", $10, $11)";
        this.pushBounded = "select index, base, created_at, count, max_size from " + api
                + ".push_bounded($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
        this.catchUp = "select index, head, tail, is_new, known, counts, created_ats, hashes from " + api
                + ".catch_up($1, $2, $3, $4, $5, $6)";
        this.windowMessages = windowMessages;
    }

    /** What became of one draft. */
    enum Storing {
        /** All of it was stored, or as much as the queue had room for, which may be nothing. */
        DONE,
        /** The partition has moved on, is locked or does not exist. */
        NOT_DONE,
        /** Encryption was switched on somewhere since the draft was made. */
        OUTDATED
    }

    /** Marks every draft whose segment was stored. */
    Future<List<Storing>> push(Connection connection, List<SegmentDraft> drafts, long encryptionEpoch) {
        Tuple arguments = SegmentDraft.arguments(drafts).addLong(encryptionEpoch)
                .addValue(SegmentDraft.queueIdsToBeginIn(drafts)).addValue(SegmentDraft.namesToBeginWith(drafts));
        OffsetDateTime[] acceptedAts = SegmentDraft.acceptedAts(drafts);
        if (acceptedAts != null) {
            arguments.addValue(acceptedAts).addValue(SegmentDraft.acceptedPlaces(drafts));
        }
        return storing(connection.call(acceptedAts == null ? push : pushSpooled, arguments).map(rows -> {
            for (Row row : rows) {
                drafts.get(row.getInteger(0) - 1).storedAt(row.getLong(1), Micros.of(row.getOffsetDateTime(2)));
            }
            return drafts;
        }), drafts.size());
    }

    private static Future<List<Storing>> storing(Future<List<SegmentDraft>> answered, int size) {
        return answered.map(drafts -> drafts.stream()
                .map(draft -> draft.isStored() || draft.refusal() != null ? Storing.DONE : Storing.NOT_DONE).toList())
                .recover(cause -> SqlFailure.of(cause) == SqlFailure.OUTDATED
                        ? Future.succeededFuture(Collections.nCopies(size, Storing.OUTDATED))
                        : Future.failedFuture(cause));
    }

    /** Like push; a draft its queue had no room for is cut, to nothing if need be. */
    Future<List<Storing>> pushBounded(Connection connection, List<SegmentDraft> drafts, long encryptionEpoch) {
        Tuple arguments = SegmentDraft.arguments(drafts).addValue(SegmentDraft.limitedQueueIds(drafts))
                .addLong(encryptionEpoch).addValue(SegmentDraft.acceptedAts(drafts))
                .addValue(SegmentDraft.acceptedPlaces(drafts));
        return storing(connection.call(pushBounded, arguments).map(rows -> {
            for (Row row : rows) {
                SegmentDraft draft = drafts.get(row.getInteger(0) - 1);
                int count = row.getInteger(3);
                if (count < draft.count()) {
                    draft.cutTo(count, "the queue is full: maxSize " + row.getLong(4));
                }
                if (count > 0) {
                    draft.storedAt(row.getLong(1), Micros.of(row.getOffsetDateTime(2)));
                }
            }
            return drafts;
        }), drafts.size());
    }

    /** Teaches each partition's window what it does not know yet; a partition without a row has no queue any more. */
    Future<Void> catchUp(Connection connection, List<PushPartition> partitions, List<Boolean> arePartial) {
        int size = partitions.size();
        UUID[] ids = new UUID[size];
        UUID[] queueIds = new UUID[size];
        String[] names = new String[size];
        Long[] knowns = new Long[size];
        Integer[] windows = new Integer[size];
        for (int i = 0; i < size; i++) {
            PushPartition partition = partitions.get(i);
            ids[i] = partition.id();
            queueIds[i] = partition.queue().id();
            names[i] = partition.name();
            knowns[i] = partition.window().known();
            windows[i] = arePartial.get(i) || partition.rule().isOff() ? 0 : partition.rule().windowSeconds();
            partition.markMissing();
        }
        return connection.call(catchUp, Tuple.of(ids, queueIds, names, knowns, windowMessages, windows))
                .compose(rows -> {
                    for (Row row : rows) {
                        int index = row.getInteger(0) - 1;
                        Long head = row.getLong(1);
                        if (head != null && head < knowns[index]) {
                            // A head never decreases within one history of the database.
                            history.contradicted(
                                    "head of a partition of queue " + partitions.get(index).queue().name() + " "
                                            + knowns[index] + " -> " + head);
                            return Future.failedFuture(new VertxException("the database history changed", true));
                        }
                    }
                    learn(partitions, arePartial, rows);
                    return Future.succeededFuture();
                });
    }

    private static void learn(List<PushPartition> partitions, List<Boolean> arePartial, RowSet<Row> rows) {
        for (Row row : rows) {
            int index = row.getInteger(0) - 1;
            PushPartition partition = partitions.get(index);
            if (row.getLong(1) == null) {
                partition.markBusy();
                continue;
            }
            partition.markFound(row.getLong(1), row.getLong(2), row.getBoolean(3), arePartial.get(index));
            partition.window().startAt(row.getLong(4));
            Integer[] counts = row.getArrayOfIntegers(5);
            if (counts == null) {
                continue;
            }
            OffsetDateTime[] createdAts = row.getArrayOfOffsetDateTimes(6);
            long[] hashes = Hashes.of(row.getBuffer(7));
            int from = 0;
            for (int i = 0; i < counts.length; i++) {
                partition.window().append(hashes, from, counts[i], Micros.of(createdAts[i]));
                from += counts[i];
            }
        }
    }
}
