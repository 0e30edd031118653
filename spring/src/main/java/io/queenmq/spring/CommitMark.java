package io.queenmq.spring;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.Ordered;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Records that a transaction has committed. Spring keeps the connection of a finished transaction bound to the thread until all
 * callbacks have run, and a statement on it would belong to no transaction. The mark is the first synchronization of its
 * transaction, so that it is set before any other callback runs. Used by one thread.
 */
final class CommitMark implements TransactionSynchronization, Ordered {
    private boolean isCommitted;

    private CommitMark() {}

    /** Adds a mark to each later transaction of these managers. */
    static void listenTo(ObjectProvider<ConfigurableTransactionManager> managers) {
        TransactionExecutionListener listener = new TransactionExecutionListener() {
            @Override
            public void afterBegin(TransactionExecution transaction, @Nullable Throwable failure) {
                if (failure == null && TransactionSynchronizationManager.isSynchronizationActive()) {
                    TransactionSynchronizationManager.registerSynchronization(new CommitMark());
                }
            }
        };
        managers.forEach(manager -> manager.addListener(listener));
    }

    /**
     * Returns true if the transaction of this thread still accepts statements. After its end Spring reports it as
     * active until all callbacks have run, but without synchronization, or in {@code afterCommit} with a mark that is
     * set. A transaction of a manager without this listener gets its mark here.
     */
    static boolean isBeforeCommit() {
        if (!TransactionSynchronizationManager.isActualTransactionActive()
                || !TransactionSynchronizationManager.isSynchronizationActive()) {
            return false;
        }
        List<TransactionSynchronization> synchronizations = TransactionSynchronizationManager.getSynchronizations();
        for (TransactionSynchronization synchronization : synchronizations) {
            if (synchronization instanceof CommitMark mark) {
                return !mark.isCommitted;
            }
        }
        TransactionSynchronizationManager.registerSynchronization(new CommitMark());
        return true;
    }

    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }

    @Override
    public void afterCommit() {
        isCommitted = true;
    }
}
