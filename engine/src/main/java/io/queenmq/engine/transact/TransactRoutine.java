package io.queenmq.engine.transact;

import io.queenmq.engine.ack.AckArguments;
import io.queenmq.engine.connection.Connection;
import io.queenmq.engine.partition.Micros;
import io.queenmq.engine.partition.Segment;
import io.queenmq.engine.push.SegmentDraft;
import io.queenmq.engine.push.StoreAnswer;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

/** Calls the routine transact. */
final class TransactRoutine {
    private final String transact;

    TransactRoutine(String api) {
        transact = "select push_index, base, created_at, item_index, is_dead from " + api
                + ".transact($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)";
    }

    /**
     * The effect of a transaction.
     *
     * @param segments the stored segment of each draft
     * @param dead the offsets of dead letters, for each holder of acks
     */
    record Effect(List<Segment> segments, List<Set<Long>> dead) {}

    /** Fails if the transaction took no effect. */
    Future<Effect> transact(Connection connection, Transaction transaction, List<SegmentDraft> drafts,
            long encryptionEpoch) {
        AckArguments acks = new AckArguments(transaction.acks());
        Tuple arguments = SegmentDraft.arguments(drafts);
        Tuple ackArguments = acks.all();
        for (int i = 0; i < ackArguments.size(); i++) {
            arguments.addValue(ackArguments.getValue(i));
        }
        arguments.addValue(transaction.requiredLeases().toArray(UUID[]::new))
                .addValue(SegmentDraft.limitedQueueIds(drafts)).addLong(encryptionEpoch);
        return connection.call(transact, arguments).map(rows -> {
            Segment[] segments = new Segment[drafts.size()];
            List<Integer> dead = new ArrayList<>(0);
            for (Row row : rows) {
                if (row.getInteger(0) != null) {
                    segments[row.getInteger(0) - 1] = Objects.requireNonNull(drafts.get(row.getInteger(0) - 1)
                            .stored(new StoreAnswer.Stored(row.getLong(1), Micros.of(row.getOffsetDateTime(2)))));
                } else if (row.getBoolean(4)) {
                    dead.add(row.getInteger(3));
                }
            }
            return new Effect(List.of(segments), acks.dead(dead));
        });
    }
}
