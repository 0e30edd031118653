package io.queenmq.client;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Pushes and acknowledges inside a transaction of the application's own, on its own connection to the database that
 * Queen lives in: all of it takes effect with the application's commit, or none. Got from {@link Queen#within}; as safe
 * to share between threads as the connection is. What goes wrong is an {@link SQLException}, as with everything else
 * that is done on the connection; a connection that commits by itself is refused with an {@link IllegalStateException}.
 */
public final class Within {
    private static final String PUSH = "select queen.push(?, ?, ?, ?)";
    private static final String PUSH_WITH_ALL = "select queen.push(?, ?, ?, ?, ?::json, ?::uuid)";
    private static final String ACK = "select queen.ack(?::uuid, ?, ?::uuid, ?)";

    private final Context context;
    private final Connection connection;

    Within(Context context, Connection connection) {
        this.context = context;
        this.connection = connection;
    }

    /**
     * Adds a message to the end of a partition, which is locked from now until the transaction ends: a payload, or a
     * {@link Message} with a transactionId of its own.
     *
     * @return false when the partition has a message of its transactionId already
     */
    public boolean push(String queue, @Nullable String partition, @Nullable Object value) throws SQLException {
        Message<?> message = Message.from(value);
        Push.Item item = context.tracing().pushing(queue,
                headers -> Push.Item.of(queue, partition, message, headers, context.payloads()));
        String payload = new String(item.payload(), StandardCharsets.UTF_8);
        String answer = item.headers().isEmpty() && item.traceId() == null
                ? call(PUSH, queue, item.partition(), payload, message.transactionId())
                : call(PUSH_WITH_ALL, queue, item.partition(), payload, message.transactionId(),
                        new String(item.headersJson(), StandardCharsets.UTF_8), item.traceId());
        return answer.equals("queued");
    }

    /**
     * The same under this transactionId, unless the partition has a message of it already.
     *
     * @return false when it has
     */
    public boolean push(String queue, @Nullable String partition, @Nullable Object value,
            @Nullable String transactionId) throws SQLException {
        return push(queue, partition, transactionId == null ? value : Message.from(value).transactionId(transactionId));
    }

    /**
     * The message is done when the transaction commits. If its lease was lost by then, the commit fails.
     *
     * @throws SQLException with the state {@code QN002} when it is lost already
     */
    public void ack(Delivery<?> delivery) throws SQLException {
        String group = delivery.group() == null ? GroupView.NO_GROUP : delivery.group();
        call(ACK, delivery.partitionId(), group, delivery.lease().id(), delivery.transactionId());
    }

    private String call(String sql, @Nullable String... values) throws SQLException {
        if (connection.getAutoCommit()) {
            throw new IllegalStateException(
                    "the connection is in no transaction: call setAutoCommit(false) before, and "
                            + "commit() after");
        }
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
}
