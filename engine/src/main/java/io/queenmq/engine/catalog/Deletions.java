package io.queenmq.engine.catalog;

import io.queenmq.engine.batch.Carrier;
import io.queenmq.engine.command.DeleteQueueCommand;
import io.queenmq.engine.connection.Connection;
import io.queenmq.engine.reply.Failure;
import io.vertx.core.Future;
import java.util.List;

/** Deletes queues in the database, one at a time. Owned by the engine loop. */
final class Deletions implements Carrier<DeleteQueueCommand, Boolean> {
    private final QueueRoutines routines;
    private final Catalog catalog;

    Deletions(QueueRoutines routines, Catalog catalog) {
        this.routines = routines;
        this.catalog = catalog;
    }

    @Override
    public Future<List<Boolean>> carry(Connection connection, List<DeleteQueueCommand> batch) {
        return routines.delete(connection, batch.getFirst()).map(List::of);
    }

    @Override
    public void settle(DeleteQueueCommand command, Boolean existed) {
        catalog.deleted(command.queue());
        command.reply().succeed(existed);
    }

    @Override
    public void refuse(DeleteQueueCommand command, Failure failure) {
        command.reply().fail(failure);
    }
}
