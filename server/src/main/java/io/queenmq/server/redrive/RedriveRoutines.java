package io.queenmq.server.redrive;

import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/**
 * The SQL side of redrives: routines next_redrive, claim_redrive and finish_redrive, to be called in one transaction, and
 * hold_redrive, to be called after it was rolled back.
 */
final class RedriveRoutines {
    private final String next;
    private final String claim;
    private final String finish;
    private final String hold;

    RedriveRoutines(String api) {
        next = "select " + api + ".next_redrive($1)";
        claim = "select redrive_id, partition_id, group_name, message_offset, failed_at, transaction_id, line, queue,"
                + " to_queue, to_partition from " + api + ".claim_redrive($1, $2)";
        finish = "select " + api + ".finish_redrive($1, $2, $3, $4, $5, $6)";
        hold = "select " + api + ".hold_redrive($1, $2, $3)";
    }

    /** The redrive that is due, or null. */
    Future<UUID> next(SqlConnection connection, Collection<UUID> leftToOthers) {
        return connection.preparedQuery(next).execute(Tuple.of(leftToOthers.toArray(UUID[]::new)))
                .map(rows -> rows.iterator().next().getUUID(0));
    }

    /** The dead letters to be pushed next, in order; none when the redrive is over. */
    Future<List<DeadLetter>> claim(SqlConnection connection, UUID redriveId, int batch) {
        return connection.preparedQuery(claim).execute(Tuple.of(redriveId, batch)).map(rows -> {
            List<DeadLetter> claimed = new ArrayList<>(rows.size());
            for (Row row : rows) {
                claimed.add(new DeadLetter(row.getUUID(0), row.getUUID(1), row.getString(2), row.getLong(3),
                        row.getOffsetDateTime(4), row.getString(5), row.getBuffer(6).getBytes(), row.getString(7),
                        row.getString(8), row.getString(9)));
            }
            return claimed;
        });
    }

    /**
     * Takes note of what became of them, and answers in how many milliseconds their redrive goes on.
     *
     * @param errors why each of them was not stored; null for one that was
     */
    Future<Long> finish(SqlConnection connection, List<DeadLetter> claimed, String[] errors) {
        return connection.preparedQuery(finish)
                .execute(Tuple.of(claimed.getFirst().redriveId(),
                        claimed.stream().map(DeadLetter::partitionId).toArray(UUID[]::new),
                        claimed.stream().map(DeadLetter::group).toArray(String[]::new),
                        claimed.stream().map(DeadLetter::offset).toArray(Long[]::new),
                        claimed.stream().map(DeadLetter::failedAt).toArray(OffsetDateTime[]::new), errors))
                .map(rows -> rows.iterator().next().getLong(0));
    }

    /**
     * Takes note of why a redrive did not go on; answers its status, or null when it is over.
     *
     * @param isFault whether the redrive itself is to blame: it fails when that happens again and again
     */
    Future<String> hold(SqlConnection connection, UUID redriveId, String reason, boolean isFault) {
        return connection.preparedQuery(hold).execute(Tuple.of(redriveId, reason, isFault))
                .map(rows -> rows.iterator().next().getString(0));
    }
}
