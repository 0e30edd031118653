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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/** Calls the routines push, push_bounded and catch_up. */
final class PushRoutines {
    private final String push;
    private final String pushSpooled;
    private final String pushBounded;
    private final String catchUp;
    private final int windowMessages;
    private final DatabaseHistory history;

    /** @param windowMessages the number of earlier messages whose transactionIds are compared */
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

    /** Appends segments. Returns one answer for each of them. */
    Future<List<StoreAnswer>> push(Connection connection, List<SegmentDraft> drafts, long encryptionEpoch) {
        Tuple arguments = SegmentDraft.arguments(drafts).addLong(encryptionEpoch)
                .addValue(SegmentDraft.newPartitionQueueIds(drafts)).addValue(SegmentDraft.newPartitionNames(drafts));
        OffsetDateTime[] acceptedAts = SegmentDraft.acceptedAts(drafts);
        if (acceptedAts != null) {
            arguments.addValue(acceptedAts).addValue(SegmentDraft.acceptedPlaces(drafts));
        }
        return answers(connection.call(acceptedAts == null ? push : pushSpooled, arguments), drafts.size(),
                row -> new StoreAnswer.Stored(row.getLong(1), Micros.of(row.getOffsetDateTime(2))));
    }

    /** Like push; a segment is truncated if its queue would exceed its maximum size. */
    Future<List<StoreAnswer>> pushBounded(Connection connection, List<SegmentDraft> drafts, long encryptionEpoch) {
        Tuple arguments = SegmentDraft.arguments(drafts).addValue(SegmentDraft.limitedQueueIds(drafts))
                .addLong(encryptionEpoch).addValue(SegmentDraft.acceptedAts(drafts))
                .addValue(SegmentDraft.acceptedPlaces(drafts));
        return answers(connection.call(pushBounded, arguments), drafts.size(), row -> {
            int count = row.getInteger(3);
            long base = count == 0 ? -1 : row.getLong(1);
            long createdAtMicros = count == 0 ? 0 : Micros.of(row.getOffsetDateTime(2));
            return count == drafts.get(row.getInteger(0) - 1).count()
                    ? new StoreAnswer.Stored(base, createdAtMicros)
                    : new StoreAnswer.Truncated(count, base, createdAtMicros,
                            "the queue is full: maxSize " + row.getLong(4));
        });
    }

    /** A segment without a row was not stored. */
    private static Future<List<StoreAnswer>> answers(Future<RowSet<Row>> called, int size,
            Function<Row, StoreAnswer> answerOf) {
        return called.map(rows -> {
            StoreAnswer[] answers = new StoreAnswer[size];
            Arrays.fill(answers, StoreAnswer.NOT_STORED);
            for (Row row : rows) {
                answers[row.getInteger(0) - 1] = answerOf.apply(row);
            }
            return List.of(answers);
        }).recover(cause -> SqlFailure.of(cause) == SqlFailure.OUTDATED
                ? Future.succeededFuture(Collections.nCopies(size, StoreAnswer.OUTDATED))
                : Future.failedFuture(cause));
    }

    /**
     * The state of a partition.
     *
     * @param isNew no message was ever pushed to it
     * @param known the first offset that the window does not cover before the segments are appended to it
     * @param isPartial the window has no transactionIds of earlier messages
     */
    record PartitionState(long head, long tail, boolean isNew, long known, boolean isPartial,
            List<WindowSegment> segments) {}

    /** The hashes of one stored segment. */
    record WindowSegment(long[] hashes, long createdAtMicros) {}

    /** The answer for one partition. */
    sealed interface CatchUpAnswer {
        record Found(PartitionState state) implements CatchUpAnswer {}

        /** The partition cannot be created yet: its queue is being deleted, created or restored by an open transaction. */
        record Busy() implements CatchUpAnswer {}

        /** The queue of the partition does not exist any more. */
        record Missing() implements CatchUpAnswer {}
    }

    /** Creates partitions that do not exist, and loads what their windows do not cover. Returns one answer for each. */
    Future<List<CatchUpAnswer>> catchUp(Connection connection, List<PushPartition> partitions,
            List<Boolean> arePartial) {
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
        }
        return connection.call(catchUp, Tuple.of(ids, queueIds, names, knowns, windowMessages, windows))
                .compose(rows -> {
                    CatchUpAnswer[] answers = new CatchUpAnswer[size];
                    Arrays.fill(answers, new CatchUpAnswer.Missing());
                    for (Row row : rows) {
                        int index = row.getInteger(0) - 1;
                        Long head = row.getLong(1);
                        if (head != null && head < knowns[index]) {
                            // A head never decreases within one history of the database.
                            history.contradicted("head of a partition of queue " + partitions.get(index).queue().name()
                                    + " " + knowns[index] + " -> " + head);
                            return Future.failedFuture(new VertxException("the database history changed", true));
                        }
                        answers[index] = head == null
                                ? new CatchUpAnswer.Busy()
                                : new CatchUpAnswer.Found(new PartitionState(head, row.getLong(2), row.getBoolean(3),
                                        row.getLong(4), arePartial.get(index), segmentsOf(row)));
                    }
                    return Future.succeededFuture(List.of(answers));
                });
    }

    private static List<WindowSegment> segmentsOf(Row row) {
        Integer[] counts = row.getArrayOfIntegers(5);
        if (counts == null) {
            return List.of();
        }
        OffsetDateTime[] createdAts = row.getArrayOfOffsetDateTimes(6);
        long[] hashes = Hashes.of(row.getBuffer(7));
        List<WindowSegment> segments = new ArrayList<>(counts.length);
        int from = 0;
        for (int i = 0; i < counts.length; i++) {
            segments.add(
                    new WindowSegment(Arrays.copyOfRange(hashes, from, from + counts[i]), Micros.of(createdAts[i])));
            from += counts[i];
        }
        return segments;
    }
}
