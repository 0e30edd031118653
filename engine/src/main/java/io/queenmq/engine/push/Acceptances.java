package io.queenmq.engine.push;

import io.queenmq.engine.batch.Carrier;
import io.queenmq.engine.batch.EngineContext;
import io.queenmq.engine.batch.Operation;
import io.queenmq.engine.batch.ShardBatches;
import io.queenmq.engine.connection.Connection;
import io.queenmq.engine.connection.ConnectionPool.Durability;
import io.queenmq.engine.partition.Hashes;
import io.queenmq.engine.partition.Micros;
import io.queenmq.engine.reply.Failure;
import io.queenmq.engine.reply.Reply;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

/**
 * Reads from PostgreSQL when stored messages were accepted, with the routines acceptances and find_hashes. One call contains the
 * queries for many partitions. Owned by the engine loop.
 */
final class Acceptances {
    /** The time of a message that is no longer stored. */
    static final long GONE = Long.MIN_VALUE;

    private final String acceptances;
    private final String findHashes;
    private final ShardBatches<TimeQuery, Times> timeQueries;
    private final ShardBatches<Search, List<Match>> searches;

    Acceptances(EngineContext context) {
        this.acceptances = "select index, accepted_at, now_is from " + context.apiSchema() + ".acceptances($1, $2)";
        this.findHashes = "select index, message_offset, hash, accepted_at from " + context.apiSchema()
                + ".find_hashes($1, $2, $3, $4)";
        this.timeQueries = new ShardBatches<>(context, Operation.ACCEPTANCES, Durability.RELAXED,
                each -> context.connections().shardOf(each.partitionId), new TimeQueryCarrier());
        this.searches = new ShardBatches<>(context, Operation.FIND_HASHES, Durability.RELAXED,
                each -> context.connections().shardOf(each.partitionId), new SearchCarrier());
    }

    /**
     * The time at which each message was accepted, or {@link #GONE}, and the current time of the partition: a message that is
     * stored later is not accepted before that time.
     */
    record Times(long[] acceptedMicros, long nowMicros) {}

    /** A stored message with one of the wanted hashes. */
    record Match(long offset, long hash, long acceptedMicros) {}

    /** Reads the times of stored messages of one partition. */
    void read(UUID partitionId, long[] offsets, long sinceNs, Reply<Times> reply) {
        timeQueries.offer(new TimeQuery(partitionId, offsets, reply), sinceNs);
    }

    /**
     * Finds the stored messages of one partition with these hashes.
     *
     * @param firstOffset earlier messages are not searched
     * @param createdAfterMicros messages that were not stored after this time are not searched
     */
    void find(UUID partitionId, long firstOffset, long createdAfterMicros, long[] hashes, long sinceNs,
            Reply<List<Match>> reply) {
        searches.offer(new Search(partitionId, firstOffset, createdAfterMicros, hashes, reply), sinceNs);
    }

    private record TimeQuery(UUID partitionId, long[] offsets, Reply<Times> reply) {}

    private record Search(UUID partitionId, long firstOffset, long createdAfterMicros, long[] hashes,
            Reply<List<Match>> reply) {}

    private final class TimeQueryCarrier implements Carrier<TimeQuery, Times> {
        @Override
        public Future<List<Times>> carry(Connection connection, List<TimeQuery> batch) {
            List<UUID> ids = new ArrayList<>();
            List<Long> offsets = new ArrayList<>();
            for (TimeQuery each : batch) {
                for (long offset : each.offsets) {
                    ids.add(each.partitionId);
                    offsets.add(offset);
                }
            }
            Tuple arguments = Tuple.tuple().addArrayOfUUID(ids.toArray(UUID[]::new))
                    .addArrayOfLong(offsets.toArray(Long[]::new));
            return connection.call(acceptances, arguments).map(rows -> {
                long[] accepted = new long[offsets.size()];
                long[] nows = new long[offsets.size()];
                Arrays.fill(accepted, GONE);
                for (Row row : rows) {
                    int place = row.getInteger(0) - 1;
                    accepted[place] = Micros.of(row.getOffsetDateTime(1));
                    nows[place] = Micros.of(row.getOffsetDateTime(2));
                }
                return split(batch, accepted, nows);
            });
        }

        private static List<Times> split(List<TimeQuery> batch, long[] accepted, long[] nows) {
            List<Times> all = new ArrayList<>(batch.size());
            int from = 0;
            for (TimeQuery each : batch) {
                int to = from + each.offsets.length;
                long nowMicros = Long.MIN_VALUE;
                for (int i = from; i < to; i++) {
                    nowMicros = accepted[i] == GONE ? nowMicros : Math.max(nowMicros, nows[i]);
                }
                all.add(new Times(Arrays.copyOfRange(accepted, from, to), nowMicros));
                from = to;
            }
            return all;
        }

        @Override
        public void settle(TimeQuery each, Times times) {
            each.reply.succeed(times);
        }

        @Override
        public void refuse(TimeQuery each, Failure failure) {
            each.reply.fail(failure);
        }
    }

    private final class SearchCarrier implements Carrier<Search, List<Match>> {
        @Override
        public Future<List<List<Match>>> carry(Connection connection, List<Search> batch) {
            int size = batch.size();
            UUID[] ids = new UUID[size];
            Long[] firsts = new Long[size];
            OffsetDateTime[] afters = new OffsetDateTime[size];
            Buffer[] hashes = new Buffer[size];
            List<List<Match>> found = new ArrayList<>(size);
            for (int i = 0; i < size; i++) {
                Search each = batch.get(i);
                ids[i] = each.partitionId;
                firsts[i] = each.firstOffset;
                afters[i] = Micros.moment(each.createdAfterMicros);
                hashes[i] = Hashes.bytesOf(each.hashes);
                found.add(new ArrayList<>(0));
            }
            return connection.call(findHashes, Tuple.of(ids, firsts, afters, hashes)).map(rows -> {
                for (Row row : rows) {
                    found.get(row.getInteger(0) - 1).add(new Match(row.getLong(1), Hashes.of(row.getBuffer(2))[0],
                            Micros.of(row.getOffsetDateTime(3))));
                }
                return found;
            });
        }

        @Override
        public void settle(Search each, List<Match> found) {
            each.reply.succeed(found);
        }

        @Override
        public void refuse(Search each, Failure failure) {
            each.reply.fail(failure);
        }
    }
}
