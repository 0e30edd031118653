package io.queenmq.spring;

import io.queenmq.client.Delivery;
import io.queenmq.client.Queen;
import io.queenmq.client.SqlTransaction;
import io.queenmq.client.error.OutcomeUnknownException;
import io.queenmq.client.error.TransactionAbortedException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Set;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.InvalidDataAccessResourceUsageException;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.SQLStateSQLExceptionTranslator;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The transaction that Spring has bound to the application's DataSource. Used only in applications with a DataSource.
 */
final class DataSourceTransaction implements JoinedTransaction {
    /** The schema or function does not exist. */
    private static final Set<String> MISSING = Set.of("3F000", "42883");
    private static final String READ_ONLY = "25006";
    private static final String LEASE_LOST = "QN002";
    private static final String UNSUPPORTED = "QN005";

    private final Queen queen;
    private final DataSource dataSource;

    DataSourceTransaction(Queen queen, DataSource dataSource) {
        this.queen = queen;
        // Transactions are bound to the target of the proxy.
        this.dataSource = dataSource instanceof TransactionAwareDataSourceProxy proxy
                && proxy.getTargetDataSource() != null ? proxy.getTargetDataSource() : dataSource;
    }

    @Override
    public boolean isActive() {
        return TransactionSynchronizationManager.hasResource(dataSource) && CommitMark.isBeforeCommit();
    }

    @Override
    public boolean isOtherActive() {
        return !TransactionSynchronizationManager.hasResource(dataSource) && CommitMark.isBeforeCommit();
    }

    @Override
    public boolean push(String queue, @Nullable String partition, @Nullable Object value) {
        return call("push to the queue '" + queue + "'", transaction -> transaction.push(queue, partition, value));
    }

    @Override
    public void pushAll(String queue, @Nullable String partition, Collection<?> values) {
        call("push to the queue '" + queue + "'", transaction -> transaction.pushAll(queue, partition, values) > 0);
    }

    @Override
    public void ack(Delivery<?> delivery) {
        call("acknowledge " + delivery, within -> {
            within.ack(delivery);
            return true;
        });
    }

    private boolean call(String what, Work work) {
        Connection connection = DataSourceUtils.getConnection(dataSource);
        try {
            return work.doIn(queen.within(connection, DataSourceTransaction::onEnd));
        } catch (SQLException e) {
            throw translated(what, e);
        } finally {
            DataSourceUtils.releaseConnection(connection, dataSource);
        }
    }

    private static DataAccessException translated(String what, SQLException e) {
        String state = String.valueOf(e.getSQLState());
        String failure = "cannot " + what + " in this transaction: ";
        if (MISSING.contains(state)) {
            return new InvalidDataAccessResourceUsageException(
                    failure + "its database is not the database of Queen; set"
                            + " queen.join-transactions=false to push over HTTP",
                    e);
        }
        if (state.equals(READ_ONLY)) {
            return new InvalidDataAccessResourceUsageException(
                    failure + "the transaction is read-only; use a transaction that is not, or set"
                            + " queen.join-transactions=false to push over HTTP",
                    e);
        }
        if (state.equals(UNSUPPORTED)) {
            String reason = reason(e);
            return new InvalidDataAccessResourceUsageException(failure + reason
                    + (reason.contains("there is no queue")
                            ? " (Beans of the type QueueDefinition create the queues that an application needs; a"
                                    + " transaction cannot)"
                            : " (The bean Queen does that, outside of the transaction)"),
                    e);
        }
        if (state.equals(LEASE_LOST)) {
            return new OptimisticLockingFailureException(
                    failure + "its lease is lost, and another consumer may have the message", e);
        }
        DataAccessException translated = new SQLStateSQLExceptionTranslator().translate(what, null, e);
        return translated == null ? new UncategorizedSQLException(what, null, e) : translated;
    }

    /** Returns the message without the position in Queen's functions, which does not concern the application. */
    private static String reason(SQLException e) {
        String message = String.valueOf(e.getMessage());
        int place = message.indexOf("\n  Where:");
        return (place < 0 ? message : message.substring(0, place)).replace("\n  ", " ");
    }

    @Override
    public void afterCommit(Runnable task) {
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCommit() {
                task.run();
            }
        });
    }

    /** Calls the callback with null after the commit, and with the reason after a rollback. */
    private static void onEnd(Consumer<@Nullable Throwable> callback) {
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCompletion(int status) {
                callback.accept(switch (status) {
                    case STATUS_COMMITTED -> null;
                    case STATUS_ROLLED_BACK -> new TransactionAbortedException("the transaction was rolled back");
                    default -> new OutcomeUnknownException("the outcome of the transaction is unknown", null);
                });
            }
        });
    }

    private interface Work {
        boolean doIn(SqlTransaction within) throws SQLException;
    }
}
