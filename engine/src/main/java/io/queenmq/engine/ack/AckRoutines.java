package io.queenmq.engine.ack;

import io.queenmq.engine.connection.Connection;
import io.queenmq.engine.partition.HashIndex;
import io.queenmq.engine.partition.Hashes;
import io.queenmq.engine.partition.OffsetSet;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** The SQL side of ack: routines ack, nack and held. */
final class AckRoutines {
    /** How many finished messages behind a cursor a repeated ack is still recognised in. */
    private static final int LOOK_BACK_MESSAGES = 10_000;

    private final String ack;
    private final String nack;
    private final String held;

    AckRoutines(String api) {
        ack = "select index, is_live, is_released, committed, acked, is_busy from " + api + ".ack($1, $2, $3, $4)";
        nack = "select index, item_index, is_live, is_released, committed, acked, is_dead, is_busy from " + api
                + ".nack($1, $2, $3, $4, $5, $6, $7, $8)";
        held = "select index, queue_name, partition_name, lease_id, committed, lease_end, acked, first, hashes from "
                + api
                + ".held($1, $2, $3)";
    }

    /** For holders in which every message was completed. */
    Future<Void> ack(Connection connection, List<AckHolder> holders) {
        return connection.call(ack, AckHolder.arguments(holders)).map(rows -> {
            holders.forEach(AckHolder::asked);
            for (Row row : rows) {
                holders.get(row.getInteger(0) - 1).answered(row.getBoolean(1), row.getBoolean(2), row.getLong(3),
                        OffsetSet.parse(row.getString(4)), row.getBoolean(5));
            }
            return null;
        });
    }

    /** For holders in which something went wrong. */
    Future<Void> nack(Connection connection, List<AckHolder> holders) {
        List<AckHolder.Entry> failures = AckHolder.failures(holders);
        return connection.call(nack, AckHolder.addFailures(AckHolder.arguments(holders), holders, failures))
                .map(rows -> {
                    holders.forEach(AckHolder::asked);
                    for (Row row : rows) {
                        Integer item = row.getInteger(1);
                        if (item != null) {
                            failures.get(item - 1).setDead(row.getBoolean(6));
                        } else {
                            holders.get(row.getInteger(0) - 1).answered(row.getBoolean(2), row.getBoolean(3),
                                    row.getLong(4),
                                    OffsetSet.parse(row.getString(5)), row.getBoolean(7));
                        }
                    }
                    return null;
                });
    }

    /** What the database knows of each partition and group; null where there is no such partition. */
    Future<List<Held>> held(Connection connection, List<AckLookup> lookups) {
        UUID[] ids = lookups.stream().map(AckLookup::partitionId).toArray(UUID[]::new);
        String[] groups = lookups.stream().map(AckLookup::group).toArray(String[]::new);
        return connection.call(held, Tuple.of(ids, groups, LOOK_BACK_MESSAGES)).map(rows -> {
            List<Held> found = new ArrayList<>();
            for (int i = 0; i < ids.length; i++) {
                found.add(null);
            }
            for (Row row : rows) {
                Long committed = row.getLong(4);
                Long leaseEnd = row.getLong(5);
                Long first = row.getLong(7);
                found.set(row.getInteger(0) - 1,
                        new Held(row.getString(1), row.getString(2), row.getUUID(3), committed == null ? 0 : committed,
                                leaseEnd == null ? 0 : leaseEnd, OffsetSet.parse(row.getString(6)),
                                first == null ? 0 : first,
                                first == null ? new long[0] : Hashes.of(row.getBuffer(8))));
            }
            return found;
        });
    }

    /**
     * A group's place in a partition.
     *
     * @param leaseId the lease on it, live or not; null when there is none
     * @param acked what is finished ahead of committed
     * @param first the offset the hashes begin at
     */
    record Held(String queue, String partition, UUID leaseId, long committed, long leaseEnd, OffsetSet acked,
            long first,
            long[] hashes) {
        boolean isFinished(long offset) {
            return offset < committed || acked.contains(offset);
        }

        /**
         * Returns the offset of an unfinished message in the lease's range; else of a finished one; else -1. Several messages may have
         * one transactionId: each ack of a request is for another one of them.
         *
         * @param named offsets that other acks of the request are for; the offset is added
         */
        long find(long hash, HashIndex index, Set<Long> named) {
            long finished = -1;
            long again = -1;
            for (int i = index.find(hash, 0); i >= 0; i = index.find(hash, i + 1)) {
                long offset = first + i;
                if (isFinished(offset)) {
                    finished = offset;
                } else if (offset < leaseEnd) {
                    // Messages from there on share the last segment with the lease.
                    if (named.add(offset)) {
                        return offset;
                    }
                    again = offset;
                }
            }
            return again >= 0 ? again : finished;
        }
    }
}
