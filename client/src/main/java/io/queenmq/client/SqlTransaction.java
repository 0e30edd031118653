package io.queenmq.client;

import io.queenmq.client.Tracing.PushTrace;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Pushes and acknowledges inside a transaction of the application, on its own connection to the database of Queen. All
 * of it takes effect when the application commits, or none. Created by {@link Queen#within}; thread-safe if the
 * connection is. Failures are {@link SQLException}s. A connection in autocommit mode is rejected with an {@link
 * IllegalStateException}.
 */
public final class SqlTransaction {
    private static final String PUSH = "select queen.push(?, ?, ?, ?)";
    private static final String PUSH_WITH_ALL = "select queen.push(?, ?, ?, ?, ?::json, ?::uuid)";
    private static final String PUSH_ALL = """
            select count(*) filter (where result = 'queued')
            from (
                select queen.push(?, partition, payload, transaction_id, headers::json, trace_id::uuid) as result
                from (
                    select partition, payload, transaction_id, headers, trace_id
                    from unnest(?, ?, ?, ?, ?) with ordinality
                        as m(partition, payload, transaction_id, headers, trace_id, number)
                    order by number) ordered) pushed
            """;
    private static final String ACK = "select queen.ack(?::uuid, ?, ?::uuid, ?)";

    private final Context context;
    private final Connection connection;
    private final Consumer<Consumer<@Nullable Throwable>> onEnd;

    /** @param onEnd registers a callback for the end of the transaction */
    SqlTransaction(Context context, Connection connection, Consumer<Consumer<@Nullable Throwable>> onEnd) {
        this.context = context;
        this.connection = connection;
        this.onEnd = onEnd;
    }

    /**
     * Appends a message to a partition, which is locked until the transaction ends. The value is a payload, or a {@link
     * Message} with its own transactionId.
     *
     * @return false if the partition already has a message with its transactionId
     */
    public boolean push(String queue, @Nullable String partition, @Nullable Object value) throws SQLException {
        Message<?> message = Message.from(value);
        return traced(queue, partition == null ? message.partition() : partition, 1, trace -> {
            Push.Item item = Push.Item.of(queue, partition, message, trace.headers(), context.payloads());
            String payload = new String(item.payload(), StandardCharsets.UTF_8);
            String response = item.headers().isEmpty() && item.traceId() == null
                    ? call(PUSH, queue, item.partition(), payload, message.transactionId())
                    : call(PUSH_WITH_ALL, queue, item.partition(), payload, message.transactionId(), headers(item),
                            item.traceId());
            return response.equals("queued");
        });
    }

    /**
     * Appends all values to a partition, in this order, with one statement. Each value is a payload, or a {@link
     * Message} with its own transactionId, and with its own partition if {@code partition} is null.
     *
     * @return the number of appended messages, which excludes those whose partition already has their transactionId
     */
    public int pushAll(String queue, @Nullable String partition, Collection<?> values) throws SQLException {
        if (values.isEmpty()) {
            return 0;
        }
        return traced(queue, partition, values.size(), trace -> {
            List<Push.Item> items = new ArrayList<>(values.size());
            List<@Nullable String> transactionIds = new ArrayList<>(values.size());
            for (Object each : values) {
                Message<?> message = Message.from(each);
                items.add(Push.Item.of(queue, partition, message, trace.headers(), context.payloads()));
                transactionIds.add(message.transactionId());
            }
            return pushAll(queue, items, transactionIds);
        });
    }

    private int pushAll(String queue, List<Push.Item> items, List<@Nullable String> transactionIds)
            throws SQLException {
        requireTransaction();
        try (PreparedStatement statement = connection.prepareStatement(PUSH_ALL)) {
            statement.setString(1, queue);
            setArray(statement, 2, items.stream().map(Push.Item::partition).toList());
            setArray(statement, 3,
                    items.stream().map(each -> new String(each.payload(), StandardCharsets.UTF_8)).toList());
            setArray(statement, 4, transactionIds);
            setArray(statement, 5, items.stream().map(SqlTransaction::headers).toList());
            setArray(statement, 6, items.stream().map(Push.Item::traceId).toList());
            try (ResultSet rows = statement.executeQuery()) {
                rows.next();
                return rows.getInt(1);
            }
        }
    }

    private void setArray(PreparedStatement statement, int index, List<? extends @Nullable String> values)
            throws SQLException {
        statement.setArray(index, connection.createArrayOf("text", values.toArray()));
    }

    private static @Nullable String headers(Push.Item item) {
        return item.headers().isEmpty() ? null : new String(item.headersJson(), StandardCharsets.UTF_8);
    }

    private <R> R traced(String queue, @Nullable String partition, int messages, TracedPush<R> push)
            throws SQLException {
        PushTrace trace = context.tracing().startPush(queue, partition, messages);
        R result;
        try {
            result = push.send(trace);
        } catch (SQLException | RuntimeException e) {
            trace.end(e);
            throw e;
        }
        onEnd.accept(trace::end);
        return result;
    }

    /**
     * Appends a message with this transactionId.
     *
     * @return false if the partition already has a message with it
     */
    public boolean push(String queue, @Nullable String partition, @Nullable Object value,
            @Nullable String transactionId) throws SQLException {
        return push(queue, partition, transactionId == null ? value : Message.from(value).transactionId(transactionId));
    }

    /**
     * Acknowledges the message with the transaction. If its lease is lost before, the commit fails.
     *
     * @throws SQLException with the state {@code QN002} if the lease is already lost
     */
    public void ack(Delivery<?> delivery) throws SQLException {
        String group = delivery.group() == null ? GroupView.NO_GROUP : delivery.group();
        call(ACK, delivery.partitionId(), group, delivery.lease().id(), delivery.transactionId());
    }

    private String call(String sql, @Nullable String... values) throws SQLException {
        requireTransaction();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setString(i + 1, values[i]);
            }
            try (ResultSet rows = statement.executeQuery()) {
                rows.next();
                return rows.getString(1);
            }
        }
    }

    private void requireTransaction() throws SQLException {
        if (connection.getAutoCommit()) {
            throw new IllegalStateException(
                    "the connection is in autocommit mode; call setAutoCommit(false) before, and commit() after");
        }
    }

    private interface TracedPush<R> {
        R send(PushTrace trace) throws SQLException;
    }
}
