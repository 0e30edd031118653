package io.queenmq.schema;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.OffsetDateTime;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

/** Executes the steps of a redrive, as a server does. */
record RedriveSteps(Api api) {
    record Claimed(UUID redrive, UUID partition, String group, long offset, OffsetDateTime failedAt,
            String transactionId, String line, UUID toQueueId, String toQueue, String toPartition, boolean isEncrypted,
            long epoch) {}

    List<Claimed> claim(UUID redrive, int batch) {
        return api.list(
                rows -> new Claimed(rows.getObject(1, UUID.class), rows.getObject(2, UUID.class), rows.getString(3),
                        rows.getLong(4), rows.getObject(5, OffsetDateTime.class), rows.getString(6), rows.getString(7),
                        rows.getObject(8, UUID.class), rows.getString(9), rows.getString(10), rows.getBoolean(11),
                        rows.getLong(12)),
                "select redrive_id, partition_id, group_name, message_offset, failed_at, transaction_id,"
                        + " convert_from(line, 'UTF8'), to_queue_id, to_queue, to_partition, is_encrypted,"
                        + " encryption_epoch from " + api.schema() + ".claim_redrive(?, ?)",
                redrive, batch);
    }

    /** Returns the error of each letter, null for one that was moved. */
    List<String> move(List<Claimed> letters) {
        return move(letters, letters.getFirst().epoch());
    }

    List<String> move(List<Claimed> letters, long epoch) {
        var args = new Args<>(api.connection(), letters);
        return api.list(rows -> rows.getString(1),
                "select error from " + api.schema() + ".move_dead_letters(?, ?, ?, ?, ?, ?, ?, ?) order by index",
                args.uuids(Claimed::partition), args.texts(Claimed::group), args.longs(Claimed::offset),
                args.uuids(Claimed::toQueueId), args.texts(Claimed::toPartition), args.texts(Claimed::transactionId),
                args.bytes(letter -> (letter.line() + "\n").getBytes(UTF_8)), epoch);
    }

    /** Moves the letters that have no error, and records the progress. */
    void finish(List<Claimed> claimed, String... errors) {
        var moved = IntStream.range(0, claimed.size()).filter(i -> errors[i] == null).mapToObj(claimed::get).toList();
        if (!moved.isEmpty()) {
            move(moved);
        }
        var args = new Args<>(api.connection(), claimed);
        var outcomes = new Args<>(api.connection(), IntStream.range(0, claimed.size()).boxed().toList());
        api.list(rows -> rows.getLong(1), "select " + api.schema() + ".finish_redrive(?, ?, ?, ?, ?, ?)",
                claimed.getFirst().redrive(), args.uuids(Claimed::partition), args.texts(Claimed::group),
                args.longs(Claimed::offset), args.times(Claimed::failedAt), outcomes.texts(i -> errors[i]));
    }
}
