package io.queenmq.server.redrive;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Calls the routines of redrives: next_redrive, claim_redrive, move_dead_letters and finish_redrive in one transaction, and
 * delay_redrive after that transaction was rolled back.
 */
final class RedriveRoutines {
    private final String next;
    private final String claim;
    private final String move;
    private final String finish;
    private final String hold;

    RedriveRoutines(String api) {
        next = "select " + api + ".next_redrive($1)";
        claim = "select redrive_id, partition_id, group_name, message_offset, failed_at, transaction_id, line,"
                + " to_queue_id, to_queue, to_partition, to_partition_id, is_encrypted, is_binding, encryption_epoch from "
                + api + ".claim_redrive($1, $2)";
        move = "select index, error from " + api + ".move_dead_letters($1, $2, $3, $4, $5, $6, $7, $8)";
        finish = "select " + api + ".finish_redrive($1, $2, $3, $4, $5, $6)";
        hold = "select " + api + ".delay_redrive($1, $2, $3)";
    }

    /** Returns the redrive that is due, or null. */
    Future<UUID> next(SqlConnection connection, Collection<UUID> deferred) {
        return connection.preparedQuery(next).execute(Tuple.of(deferred.toArray(UUID[]::new)))
                .map(rows -> rows.iterator().next().getUUID(0));
    }

    /** Returns the dead letters to be moved next, in order; none when the redrive has ended or has to wait. */
    Future<List<DeadLetter>> claim(SqlConnection connection, UUID redriveId, int batch) {
        return connection.preparedQuery(claim).execute(Tuple.of(redriveId, batch)).map(rows -> {
            List<DeadLetter> claimed = new ArrayList<>(rows.size());
            for (Row row : rows) {
                claimed.add(new DeadLetter(row.getUUID(0),
                        new DeadLetter.Key(row.getUUID(1), row.getString(2), row.getLong(3)), row.getOffsetDateTime(4),
                        row.getString(5), row.getBuffer(6).getBytes(),
                        new DeadLetter.Target(row.getUUID(7), row.getString(8), row.getString(9), row.getUUID(10),
                                Boolean.TRUE.equals(row.getBoolean(11)), row.getBoolean(12), row.getLong(13))));
            }
            return claimed;
        });
    }

    /** Moves the letters that can be moved, and records those that PostgreSQL rejected. */
    Future<Void> move(SqlConnection connection, OpenedDeadLetters letters) {
        List<Integer> indexes = letters.movable();
        int size = indexes.size();
        if (size == 0) {
            return Future.succeededFuture();
        }
        UUID[] partitionIds = new UUID[size];
        String[] groups = new String[size];
        Long[] offsets = new Long[size];
        @Nullable
        UUID[] queueIds = new @Nullable UUID[size];
        String[] partitions = new String[size];
        @Nullable
        String[] transactionIds = new @Nullable String[size];
        Buffer[] lines = new Buffer[size];
        for (int i = 0; i < size; i++) {
            DeadLetter letter = letters.letter(indexes.get(i));
            partitionIds[i] = letter.key().partitionId();
            groups[i] = letter.key().group();
            offsets[i] = letter.key().offset();
            queueIds[i] = letter.target().queueId();
            partitions[i] = letter.target().partition();
            transactionIds[i] = letter.transactionId();
            lines[i] = Buffer.buffer(letters.line(indexes.get(i)));
        }
        long epoch = letters.letter(indexes.getFirst()).target().encryptionEpoch();
        return connection.preparedQuery(move).execute(Tuple
                .of(partitionIds, groups, offsets, queueIds, partitions, transactionIds).addValue(lines).addLong(epoch))
                .map(rows -> {
                    for (Row row : rows) {
                        if (row.getString(1) != null) {
                            letters.refuse(indexes.get(row.getInteger(0) - 1), row.getString(1));
                        }
                    }
                    return null;
                });
    }

    /**
     * Records the progress of a redrive and returns in how many milliseconds it continues.
     *
     * @param errors why each of them stays a dead letter; null for one that was moved
     */
    Future<Long> finish(SqlConnection connection, List<DeadLetter> claimed, @Nullable String[] errors) {
        return connection.preparedQuery(finish)
                .execute(Tuple.of(claimed.getFirst().redriveId(),
                        claimed.stream().map(each -> each.key().partitionId()).toArray(UUID[]::new),
                        claimed.stream().map(each -> each.key().group()).toArray(String[]::new),
                        claimed.stream().map(each -> each.key().offset()).toArray(Long[]::new),
                        claimed.stream().map(DeadLetter::failedAt).toArray(OffsetDateTime[]::new), errors))
                .map(rows -> rows.iterator().next().getLong(0));
    }

    /** Records why a redrive did not continue, and returns its status; null when it has ended. */
    Future<String> hold(SqlConnection connection, UUID redriveId, RedriveFailure failure) {
        return connection.preparedQuery(hold).execute(Tuple.of(redriveId, failure.reason(), failure.isFault()))
                .map(rows -> rows.iterator().next().getString(0));
    }
}
