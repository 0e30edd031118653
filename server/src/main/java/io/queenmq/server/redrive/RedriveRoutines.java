package io.queenmq.server.redrive;

import io.queenmq.server.push.PushOutcome;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** The SQL side of redrives: routines claim_redrive and finish_redrive, to be called in one transaction. */
final class RedriveRoutines {
    private final String claim;
    private final String finish;

    RedriveRoutines(String api) {
        claim = "select redrive_id, partition_id, group_name, message_offset, failed_at, transaction_id, line, queue,"
                + " to_queue, to_partition from " + api + ".claim_redrive($1)";
        finish = "select " + api + ".finish_redrive($1, $2, $3, $4, $5, $6)";
    }

    /** The dead letters to be pushed next, in order; none when there is nothing to do. */
    Future<List<DeadLetter>> claim(SqlConnection connection, int batch) {
        return connection.preparedQuery(claim).execute(Tuple.of(batch)).map(rows -> {
            List<DeadLetter> claimed = new ArrayList<>(rows.size());
            for (Row row : rows) {
                claimed.add(new DeadLetter(row.getUUID(0), row.getUUID(1), row.getString(2), row.getLong(3),
                        row.getOffsetDateTime(4), row.getString(5), row.getBuffer(6).getBytes(), row.getString(7),
                        row.getString(8), row.getString(9)));
            }
            return claimed;
        });
    }

    /** Takes note of what became of them, and answers in how many milliseconds their redrive goes on. */
    Future<Long> finish(SqlConnection connection, List<DeadLetter> claimed, List<PushOutcome> outcomes) {
        return connection.preparedQuery(finish)
                .execute(Tuple.of(claimed.getFirst().redriveId(),
                        claimed.stream().map(DeadLetter::partitionId).toArray(UUID[]::new),
                        claimed.stream().map(DeadLetter::group).toArray(String[]::new),
                        claimed.stream().map(DeadLetter::offset).toArray(Long[]::new),
                        claimed.stream().map(DeadLetter::failedAt).toArray(OffsetDateTime[]::new),
                        outcomes.stream().map(RedriveRoutines::error).toArray(String[]::new)))
                .map(rows -> rows.iterator().next().getLong(0));
    }

    /** Null for a message that is stored; a duplicate is one of another dead letter that went in with it. */
    private static String error(PushOutcome outcome) {
        return switch (outcome) {
            case PushOutcome.Queued _, PushOutcome.Duplicate _ -> null;
            case PushOutcome.Failed(var error) -> error;
        };
    }
}
