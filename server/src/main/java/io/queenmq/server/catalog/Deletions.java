package io.queenmq.server.catalog;

import io.queenmq.server.postgres.Link;
import io.queenmq.server.reply.Failure;
import io.queenmq.server.wave.Carrier;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Consumer;

/** Deletes queues in the database, one at a time. Owned by the engine loop. */
final class Deletions implements Carrier<DeleteQueueCommand, Boolean> {
    private final QueueRoutines routines;
    private final Consumer<String> onDeleted;

    /** @param onDeleted called with the name of the queue before the command is answered */
    Deletions(QueueRoutines routines, Consumer<String> onDeleted) {
        this.routines = routines;
        this.onDeleted = onDeleted;
    }

    @Override
    public Future<List<Boolean>> carry(Link link, List<DeleteQueueCommand> wave) {
        return routines.delete(link, wave.getFirst()).map(List::of);
    }

    @Override
    public void settle(DeleteQueueCommand command, Boolean existed) {
        onDeleted.accept(command.queue());
        command.reply().succeed(existed);
    }

    @Override
    public void refuse(DeleteQueueCommand command, Failure failure) {
        command.reply().fail(failure);
    }
}
