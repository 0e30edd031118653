package io.queenmq.server.catalog;

import io.queenmq.server.postgres.Link;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The SQL side of queues: routines create_queues, configure and delete_queue, and the table itself. */
final class QueueRoutines {
    private static final String VERSION = "select version from queen.catalog";
    private static final String ALL = "select * from queen.queue";

    private final String create;
    private final String configure;
    private final String delete;

    QueueRoutines(String api) {
        create = "select * from " + api + ".create_queues($1::text[], $2::text[], $3::text[])";
        configure = "select * from " + api
                + ".configure($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)";
        delete = "select " + api + ".delete_queue($1)";
    }

    Future<Long> version(Link link) {
        return link.call(VERSION, Tuple.tuple()).map(rows -> rows.iterator().next().getLong(0));
    }

    Future<Map<String, Queue>> all(Link link) {
        return link.call(ALL, Tuple.tuple()).map(rows -> {
            Map<String, Queue> queues = new HashMap<>();
            for (Row row : rows) {
                Queue queue = queue(row);
                queues.put(queue.name(), queue);
            }
            return queues;
        });
    }

    Future<List<Queue>> create(Link link, List<String> names, List<String> namespaces, List<String> tasks) {
        Tuple arguments = Tuple.of(names.toArray(String[]::new), namespaces.toArray(String[]::new),
                tasks.toArray(String[]::new));
        return link.call(create, arguments).map(rows -> {
            List<Queue> queues = new ArrayList<>();
            for (Row row : rows) {
                queues.add(queue(row));
            }
            return queues;
        });
    }

    Future<Queue> configure(Link link, ConfigureCommand command) {
        QueueOptions options = command.options();
        Tuple arguments = Tuple.tuple().addString(command.queue()).addString(command.namespace())
                .addString(command.task()).addInteger(options.leaseTime()).addInteger(options.retryLimit())
                .addInteger(options.retryDelay()).addInteger(options.delayedProcessing())
                .addInteger(options.windowBuffer()).addInteger(options.priority()).addLong(options.maxSize())
                .addInteger(options.ttl()).addInteger(options.maxWaitTimeSeconds())
                .addBoolean(options.retentionEnabled()).addInteger(options.retentionSeconds())
                .addInteger(options.completedRetentionSeconds()).addBoolean(options.encryptionEnabled())
                .addBoolean(options.deadLetterQueue()).addBoolean(options.dlqAfterMaxRetries())
                .addInteger(options.dedupWindowSeconds());
        return link.call(configure, arguments).map(rows -> queue(rows.iterator().next()));
    }

    Future<Boolean> delete(Link link, String name) {
        return link.call(delete, Tuple.of(name)).map(rows -> rows.iterator().next().getBoolean(0));
    }

    private static Queue queue(Row row) {
        QueueOptions options = new QueueOptions(row.getInteger("lease_time_s"), row.getInteger("retry_limit"),
                row.getInteger("retry_delay_ms"), row.getInteger("delayed_processing_s"),
                row.getInteger("window_buffer_s"), row.getInteger("priority"), row.getLong("max_size"),
                row.getInteger("ttl_s"), row.getInteger("max_wait_time_s"), row.getBoolean("retention_enabled"),
                row.getInteger("retention_s"), row.getInteger("completed_retention_s"),
                row.getBoolean("encryption_enabled"), row.getBoolean("dead_letter_queue"),
                row.getBoolean("dlq_after_max_retries"), row.getInteger("dedup_window_s"));
        return new Queue(row.getUUID("id"), row.getString("name"), row.getString("namespace"), row.getString("task"),
                options, row.getBoolean("is_paused"), row.getLong("revision"));
    }
}
