package io.queenmq.spring;

import io.queenmq.client.Queen;
import io.queenmq.client.Within;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import javax.sql.DataSource;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.InvalidDataAccessResourceUsageException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.SQLStateSQLExceptionTranslator;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** The transaction that Spring has begun on the application's DataSource. Only used where there is one. */
final class DataSourceTransaction implements OwnTransaction {
    private static final String PUSH = "select queen.push(…)";

    /** No such schema, no such function. */
    private static final Set<String> NOT_HERE = Set.of("3F000", "42883");

    private final Queen queen;
    private final DataSource dataSource;

    DataSourceTransaction(Queen queen, DataSource dataSource) {
        this.queen = queen;
        // Transactions are bound to what is behind the proxy.
        this.dataSource = dataSource instanceof TransactionAwareDataSourceProxy proxy
                && proxy.getTargetDataSource() != null ? proxy.getTargetDataSource() : dataSource;
    }

    @Override
    public boolean isActive() {
        return TransactionSynchronizationManager.isActualTransactionActive()
                && TransactionSynchronizationManager.hasResource(dataSource);
    }

    @Override
    public boolean push(String queue, String partition, Object value, String transactionId) {
        Connection connection = DataSourceUtils.getConnection(dataSource);
        try {
            Within within = queen.within(connection);
            if (transactionId != null) {
                return within.push(queue, partition, value, transactionId);
            }
            within.push(queue, partition, value);
            return true;
        } catch (SQLException e) {
            throw translated(e);
        } finally {
            DataSourceUtils.releaseConnection(connection, dataSource);
        }
    }

    private static DataAccessException translated(SQLException e) {
        if (NOT_HERE.contains(String.valueOf(e.getSQLState()))) {
            return new InvalidDataAccessResourceUsageException(
                    "the database of this transaction is not the one that Queen"
                            + " lives in; set queen.join-transactions=false to push over HTTP",
                    e);
        }
        DataAccessException translated = new SQLStateSQLExceptionTranslator().translate("push", PUSH, e);
        return translated == null ? new UncategorizedSQLException("push", PUSH, e) : translated;
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
}
