package io.queenmq.engine.catalog;

import io.queenmq.engine.command.ConfigureCommand;
import io.queenmq.engine.command.DeleteQueueCommand;
import io.queenmq.engine.connection.Connection;
import io.queenmq.engine.queue.Queue;
import io.queenmq.engine.queue.QueueOption;
import io.queenmq.engine.queue.QueueOptions;
import io.queenmq.engine.time.DatabaseClock;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Calls the routines create_queues, configure, is_key_known, await_pushes and delete_queue, and reads the table of queues. */
final class QueueRoutines {
    static final String STATE = "select c.version, c.subscription_version, c.partitions_since, s.push_maintenance,"
            + " s.pop_maintenance, s.encryption_epoch, clock_timestamp(), s.binds_messages from queen.catalog c, queen.system_state s";
    private static final int AWAIT_PUSHES_MS = 2_000;
    private static final String COLUMNS = "select q.*, array(select g.group_name from queen.group_pause g"
            + " where g.queue_id = q.id) as paused_groups from ";
    static final String ALL = COLUMNS + "queen.queue q";
    static final String REVISED_PARTITIONS = "select q.name, p.name from queen.revised_partition r"
            + " join queen.partition p on p.id = r.partition_id join queen.queue q on q.id = p.queue_id"
            + " where r.version > $1";

    private final String create;
    private final String configure;
    private final String isKeyKnown;
    private final String delete;
    private final String awaitPushes;

    private final int serverDedupWindowS;

    /** @param dedupWindow the window of queues that do not set one */
    QueueRoutines(String api, Duration dedupWindow) {
        serverDedupWindowS = Math.toIntExact(dedupWindow.toSeconds());
        create = COLUMNS + api + ".create_queues($1::text[], $2::text[], $3::text[]) q";
        configure = COLUMNS + api + ".configure($1, $2, $3, $4, $5, $6, $7) q";
        isKeyKnown = "select " + api + ".is_key_known()";
        delete = "select " + api + ".delete_queue($1, $2)";
        awaitPushes = "select " + api + ".await_pushes($1)";
    }

    /** @param clock is set to the time of PostgreSQL */
    Future<CatalogState> state(Connection connection, DatabaseClock clock) {
        long askedNs = clock.nowNs();
        return connection.call(STATE, Tuple.tuple()).map(rows -> {
            Row row = rows.iterator().next();
            clock.report(row.getOffsetDateTime(6).toInstant(), askedNs);
            return new CatalogState(row.getLong(0), row.getLong(1), row.getLong(2),
                    new Maintenance(row.getBoolean(3), row.getBoolean(4)), row.getLong(5), row.getBoolean(7));
        });
    }

    /** Returns the partitions that operators changed after a version of the catalog. */
    Future<List<RevisedPartition>> revisedPartitions(Connection connection, long since) {
        return connection.call(REVISED_PARTITIONS, Tuple.of(since)).map(rows -> {
            List<RevisedPartition> partitions = new ArrayList<>(rows.size());
            for (Row row : rows) {
                partitions.add(new RevisedPartition(row.getString(0), row.getString(1)));
            }
            return partitions;
        });
    }

    Future<Map<String, Queue>> all(Connection connection) {
        return connection.call(ALL, Tuple.tuple()).map(rows -> {
            Map<String, Queue> queues = new HashMap<>();
            for (Row row : rows) {
                Queue queue = queue(row);
                queues.put(queue.name(), queue);
            }
            return queues;
        });
    }

    Future<List<Queue>> create(Connection connection, List<String> names, List<String> namespaces, List<String> tasks) {
        Tuple arguments = Tuple.of(names.toArray(String[]::new), namespaces.toArray(String[]::new),
                tasks.toArray(String[]::new));
        return connection.call(create, arguments).map(rows -> {
            List<Queue> queues = new ArrayList<>();
            for (Row row : rows) {
                queues.add(queue(row));
            }
            return queues;
        });
    }

    Future<Queue> configure(Connection connection, ConfigureCommand command) {
        Tuple arguments = Tuple.of(command.actor(), command.queue(), command.namespace(), command.task(),
                columns(command.options()), command.mayRemove()).addInteger(serverDedupWindowS);
        return connection.call(configure, arguments).map(rows -> queue(rows.iterator().next()));
    }

    /** Returns true if at least one server has a key. */
    Future<Boolean> isKeyKnown(Connection connection) {
        return connection.call(isKeyKnown, Tuple.tuple()).map(rows -> rows.iterator().next().getBoolean(0));
    }

    /** Completes when all transactions that push by the previous options have ended. */
    Future<Void> awaitPushes(Connection connection) {
        return connection.call(awaitPushes, Tuple.of(AWAIT_PUSHES_MS)).mapEmpty();
    }

    Future<Boolean> delete(Connection connection, DeleteQueueCommand command) {
        return connection.call(delete, Tuple.of(command.actor(), command.queue()))
                .map(rows -> rows.iterator().next().getBoolean(0));
    }

    /** Returns the values by column, with null for {@link QueueOptions#AS_THE_SERVER}. */
    private static JsonObject columns(QueueOptions options) {
        JsonObject columns = new JsonObject();
        options.values().forEach((option, value) -> columns.put(option.column(),
                option.isNullable() && value.equals(QueueOptions.AS_THE_SERVER) ? null : value));
        return columns;
    }

    private static QueueOptions options(Row row) {
        Map<QueueOption, Object> values = new EnumMap<>(QueueOption.class);
        for (QueueOption option : QueueOption.values()) {
            Object value = row.getValue(option.column());
            if (value != null) {
                values.put(option, value);
            }
        }
        return new QueueOptions(values);
    }

    private static Queue queue(Row row) {
        return new Queue(row.getUUID("id"), row.getString("name"), row.getString("namespace"), row.getString("task"),
                options(row), row.getBoolean("is_paused"), Set.of(row.getArrayOfStrings("paused_groups")),
                row.getLong("revision"));
    }

    record RevisedPartition(String queue, String partition) {}
}
