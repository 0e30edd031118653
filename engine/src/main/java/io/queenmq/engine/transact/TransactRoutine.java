package io.queenmq.engine.transact;

import io.queenmq.engine.ack.AckHolder;
import io.queenmq.engine.connection.Connection;
import io.queenmq.engine.partition.Micros;
import io.queenmq.engine.partition.Segment;
import io.queenmq.engine.push.SegmentDraft;
import io.queenmq.engine.push.StoreAnswer;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.UUID;

/** The SQL side of transact. */
final class TransactRoutine {
    private final String transact;

    TransactRoutine(String api) {
        transact = "select push_index, base, created_at, item_index, is_dead from " + api
                + ".transact($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)";
    }

    /** Returns the stored segment of each draft. Fails if the transaction took no effect. */
    Future<List<Segment>> transact(Connection connection, Transaction transaction, List<SegmentDraft> drafts,
            long encryptionEpoch) {
        List<AckHolder> holders = transaction.holders();
        List<AckHolder.Entry> failures = AckHolder.failures(holders);
        Tuple acks = AckHolder.addFailures(AckHolder.arguments(holders), holders, failures);
        Tuple arguments = SegmentDraft.arguments(drafts);
        for (int i = 0; i < acks.size(); i++) {
            arguments.addValue(acks.getValue(i));
        }
        arguments.addValue(transaction.requiredLeases().toArray(UUID[]::new))
                .addValue(SegmentDraft.limitedQueueIds(drafts)).addLong(encryptionEpoch);
        return connection.call(transact, arguments).map(rows -> {
            Segment[] segments = new Segment[drafts.size()];
            for (Row row : rows) {
                if (row.getInteger(0) != null) {
                    segments[row.getInteger(0) - 1] = drafts.get(row.getInteger(0) - 1).stored(
                            new StoreAnswer.Stored(row.getLong(1), Micros.of(row.getOffsetDateTime(2))));
                } else {
                    failures.get(row.getInteger(3) - 1).setDead(row.getBoolean(4));
                }
            }
            return List.of(segments);
        });
    }
}
