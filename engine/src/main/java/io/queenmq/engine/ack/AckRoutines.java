package io.queenmq.engine.ack;

import io.queenmq.engine.connection.Connection;
import io.queenmq.engine.partition.HashIndex;
import io.queenmq.engine.partition.Hashes;
import io.queenmq.engine.partition.OffsetSet;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Calls the routines ack, nack and load_leases. */
final class AckRoutines {
    /** The number of finished messages before a cursor among which a repeated ack is recognized. */
    private static final int LOOK_BACK_MESSAGES = 10_000;

    private final String ack;
    private final String nack;
    private final String held;

    AckRoutines(String api) {
        ack = "select index, is_live, is_released, committed, acked, is_busy from " + api + ".ack($1, $2, $3, $4)";
        nack = "select index, item_index, is_live, is_released, committed, acked, is_dead, is_busy from " + api
                + ".nack($1, $2, $3, $4, $5, $6, $7, $8)";
        held = "select index, queue_name, partition_name, lease_id, committed, lease_end, acked, first, hashes from "
                + api + ".load_leases($1, $2, $3)";
    }

    /** Carries holders in which every message was completed. Returns one answer for each. */
    Future<List<AckAnswer>> ack(Connection connection, List<AckHolder> holders) {
        return connection.call(ack, new AckArguments(holders).completed()).map(rows -> {
            AckAnswer[] answers = new AckAnswer[holders.size()];
            // A cursor that does not exist has no row.
            Arrays.fill(answers, AckAnswer.ABSENT);
            for (Row row : rows) {
                answers[row.getInteger(0) - 1] = new AckAnswer(false, row.getBoolean(1), row.getBoolean(2),
                        row.getBoolean(5), new Finished(row.getLong(3), OffsetSet.parse(row.getString(4))), Set.of());
            }
            return List.of(answers);
        });
    }

    /** Carries holders in which some message failed. Returns one answer for each. */
    Future<List<AckAnswer>> nack(Connection connection, List<AckHolder> holders) {
        AckArguments arguments = new AckArguments(holders);
        return connection.call(nack, arguments.all()).map(rows -> {
            List<Integer> deadItems = new ArrayList<>();
            for (Row row : rows) {
                if (row.getInteger(1) != null && row.getBoolean(6)) {
                    deadItems.add(row.getInteger(1));
                }
            }
            List<Set<Long>> dead = arguments.dead(deadItems);
            AckAnswer[] answers = new AckAnswer[holders.size()];
            Arrays.fill(answers, AckAnswer.ABSENT);
            for (Row row : rows) {
                if (row.getInteger(1) == null) {
                    int index = row.getInteger(0) - 1;
                    answers[index] = new AckAnswer(false, row.getBoolean(2), row.getBoolean(3), row.getBoolean(7),
                            new Finished(row.getLong(4), OffsetSet.parse(row.getString(5))), dead.get(index));
                }
            }
            return List.of(answers);
        });
    }

    /** Returns the position of each group; empty if the partition does not exist. */
    Future<List<Optional<LoadedLease>>> held(Connection connection, List<AckLookup> lookups) {
        UUID[] ids = lookups.stream().map(AckLookup::partitionId).toArray(UUID[]::new);
        String[] groups = lookups.stream().map(AckLookup::group).toArray(String[]::new);
        return connection.call(held, Tuple.of(ids, groups, LOOK_BACK_MESSAGES)).map(rows -> {
            List<Optional<LoadedLease>> found = new ArrayList<>(Collections.nCopies(ids.length, Optional.empty()));
            for (Row row : rows) {
                Long committed = row.getLong(4);
                Long leaseEnd = row.getLong(5);
                Long first = row.getLong(7);
                found.set(row.getInteger(0) - 1,
                        Optional.of(new LoadedLease(row.getString(1), row.getString(2), row.getUUID(3),
                                leaseEnd == null ? 0 : leaseEnd,
                                new Finished(committed == null ? 0 : committed, OffsetSet.parse(row.getString(6))),
                                first == null ? 0 : first, first == null ? new long[0] : Hashes.of(row.getBuffer(8)))));
            }
            return found;
        });
    }

    /**
     * The position of a group in a partition.
     *
     * @param leaseId the lease, live or not; null if there is none
     * @param first the offset of the first hash
     */
    record LoadedLease(String queue, String partition, @Nullable UUID leaseId, long leaseEnd, Finished finished,
            long first, long[] hashes) {
        /**
         * Returns the offset of an unfinished message in the lease's range; otherwise of a finished one; otherwise -1. Several
         * messages may have the same transactionId: each ack of a request is for another one of them.
         *
         * @param named offsets that other acks of the request are for; the offset is added
         */
        long find(long hash, HashIndex index, Set<Long> named) {
            long done = -1;
            long again = -1;
            for (int i = index.find(hash, 0); i >= 0; i = index.find(hash, i + 1)) {
                long offset = first + i;
                if (finished.contains(offset)) {
                    done = offset;
                } else if (offset < leaseEnd) {
                    // Messages from there on share the last segment with the lease.
                    if (named.add(offset)) {
                        return offset;
                    }
                    again = offset;
                }
            }
            return again >= 0 ? again : done;
        }
    }
}
