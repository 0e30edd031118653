package io.queenmq.engine.simulation.store;

import io.queenmq.engine.connection.ShardConnections;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;

/** The content of a database as text by table, of PostgreSQL or of the store, for comparison. */
final class Snapshot {
    private static final Map<String, String> QUERIES = Map.of("partitions", """
                    select id, name, head, tail, last_push_at, active_at, removed::text, is_paused, largest_line
                    from queen.partition""", "segments",
            "select partition_id, base, count, created_at, hashes, accepted_at from queen.segment", "cursors", """
                    select partition_id, group_name, committed, acked::text, lease_id, lease_until, lease_end, retry_at,
                           completed_count, dead_count, skipped_count, expired_count, last_ack_at,
                           case when lease_id is not null then is_alone end
                    from queen.cursor""",
            // Only the unfinished messages of a run are compared.
            "failures", """
                    select f.partition_id, f.group_name, o.offset, f.attempts, f.error, f.retry_at, f.failed_at
                    from queen.failure f
                    cross join lateral generate_series(f.message_offset, f.message_offset + f.message_count - 1)
                        as o ("offset")
                    join queen.cursor c on c.partition_id = f.partition_id and c.group_name = f.group_name
                    where o.offset >= c.committed and not coalesce(c.acked @> o.offset, false)""", "dead letters", """
                    select partition_id, group_name, message_offset, queue_id, partition_name, transaction_id, error,
                           attempts, created_at, failed_at
                    from queen.dead_letter""", "subscriptions",
            "select group_name, queue_name, namespace, task, mode, from_at, subscribed_at, is_preset"
                    + " from queen.subscription",
            "sizes", "select q.name, s.size from queen.queue_size s join queen.queue q on q.id = s.queue_id", "catalog", """
                    select c.version, c.subscription_version, c.partitions_since, s.push_maintenance, s.pop_maintenance,
                           s.encryption_epoch
                    from queen.catalog c, queen.system_state s""");

    private Snapshot() {}

    static Map<String, List<String>> of(RealRoutines real) {
        Map<String, List<String>> tables = new TreeMap<>();
        QUERIES.forEach(
                (table, query) -> tables.put(table, texts(real.call(ShardConnections.CATALOG, query, Tuple.tuple()))));
        return tables;
    }

    static Map<String, List<String>> of(Store store) {
        Database database = store.database();
        Map<String, List<String>> tables = new TreeMap<>();
        tables.put("partitions",
                rows(table -> database.partitions.all()
                        .forEach(partition -> table.add(partition.id(), partition.name(), partition.head(),
                                partition.tail(), Moments.of(partition.lastPushAt()), Moments.of(partition.activeAt()),
                                partition.removed().textOrNull(), partition.isPaused(), partition.largestLine()))));
        tables.put("segments",
                rows(table -> database.partitions.all()
                        .forEach(partition -> partition.segments()
                                .forEach(segment -> table.add(partition.id(), segment.base(), segment.count(),
                                        Moments.of(segment.createdAt()), Buffer.buffer(segment.hashes()),
                                        segment.acceptedAt() == null
                                                ? null
                                                : Arrays.stream(segment.acceptedAt()).map(Moments::of)
                                                        .toArray(OffsetDateTime[]::new))))));
        tables.put("cursors",
                rows(table -> database.cursors.all()
                        .forEach(cursor -> table.add(cursor.partition().id(), cursor.group(), cursor.committed(),
                                cursor.acked().textOrNull(), cursor.leaseId(), Moments.of(cursor.leaseUntil()),
                                cursor.leaseEnd(), Moments.of(cursor.retryAt()), cursor.completedCount(),
                                cursor.deadCount(), cursor.skippedCount(), cursor.expiredCount(),
                                Moments.of(cursor.lastAckAt()), cursor.isHeld() ? cursor.isAlone() : null))));
        tables.put("failures",
                rows(table -> database.cursors.all()
                        .forEach(cursor -> cursor.failures()
                                .forEach((offset, failure) -> table.add(cursor.partition().id(), cursor.group(), offset,
                                        failure.attempts(), failure.error(), Moments.of(failure.retryAt()),
                                        Moments.of(failure.failedAt()))))));
        tables.put("dead letters",
                rows(table -> database.deadLetters.all()
                        .forEach(letter -> table.add(letter.partitionId(), letter.group(), letter.offset(),
                                letter.queueId(), letter.partition(), letter.transactionId(), letter.error(),
                                letter.attempts(), Moments.of(letter.createdAt()), Moments.of(letter.failedAt())))));
        tables.put("subscriptions", rows(table -> database.subscriptions.all()
                .forEach(each -> table.add(each.getKey().group(), each.getKey().queue(), each.getKey().namespace(),
                        each.getKey().task(), each.getValue().mode(), Moments.of(each.getValue().fromAt()),
                        Moments.of(each.getValue().subscribedAt()), each.getValue().isSought()))));
        tables.put("sizes", rows(table -> database.catalog.queues().stream().filter(database.sizes::isKept)
                .forEach(queue -> table.add(queue.name(), database.sizes.of(queue)))));
        tables.put("catalog",
                rows(table -> table.add(database.catalog.version(), database.catalog.subscriptionVersion(),
                        database.catalog.partitionsSince(), database.catalog.isPushMaintenance(),
                        database.catalog.isPopMaintenance(), database.catalog.encryptionEpoch())));
        return tables;
    }

    private interface Table {
        void add(Object... values);
    }

    private static List<String> rows(Consumer<Table> filler) {
        List<String> rows = new ArrayList<>();
        filler.accept(values -> rows.add(text(Arrays.asList(values))));
        return rows.stream().sorted().toList();
    }

    private static List<String> texts(RowSet<Row> rows) {
        List<String> texts = new ArrayList<>();
        for (Row row : rows) {
            texts.add(text(row));
        }
        return texts.stream().sorted().toList();
    }

    /** Includes the types of the values in the comparison. */
    static String text(Row row) {
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < row.size(); i++) {
            values.add(row.getValue(i));
        }
        return text(values);
    }

    private static String text(List<Object> values) {
        return values.stream().map(Snapshot::text).toList().toString();
    }

    static String text(Object value) {
        return switch (value) {
            case null -> "null";
            case Buffer bytes -> "Buffer " + HexFormat.of().formatHex(bytes.getBytes());
            case Object[] array ->
                array.getClass().getSimpleName() + " " + Arrays.stream(array).map(Objects::toString).toList();
            default -> value.getClass().getSimpleName() + " " + value;
        };
    }
}
