package io.queenmq.engine.catalog;

import io.queenmq.engine.batch.Carrier;
import io.queenmq.engine.command.ConfigureCommand;
import io.queenmq.engine.command.ConfigureOutcome;
import io.queenmq.engine.connection.Connection;
import io.queenmq.engine.connection.SqlFailure;
import io.queenmq.engine.queue.Queue;
import io.queenmq.engine.reply.Failure;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Consumer;

/** Carries what is configured to the database, one queue at a time, unless it cannot work. Owned by the engine loop. */
final class Configurations implements Carrier<ConfigureCommand, ConfigureOutcome> {
    private final QueueRoutines routines;
    private final boolean hasKey;
    private final Consumer<Queue> onConfigured;

    /** @param hasKey whether this server can encrypt */
    Configurations(QueueRoutines routines, boolean hasKey, Consumer<Queue> onConfigured) {
        this.routines = routines;
        this.hasKey = hasKey;
        this.onConfigured = onConfigured;
    }

    @Override
    public Future<List<ConfigureOutcome>> carry(Connection connection, List<ConfigureCommand> batch) {
        ConfigureCommand command = batch.getFirst();
        if (!Boolean.TRUE.equals(command.options().encryptionEnabled())) {
            return configure(connection, command).map(List::of);
        }
        // The answer means that nothing will be stored in clear any more, by no server.
        return isKeyKnown(connection).compose(isKnown -> isKnown
                ? configure(connection, command).compose(outcome -> routines.awaitPushes(connection).map(outcome))
                : Future.succeededFuture(new ConfigureOutcome.NoKey())).map(List::of);
    }

    private Future<ConfigureOutcome> configure(Connection connection, ConfigureCommand command) {
        return routines.configure(connection, command).<ConfigureOutcome>map(ConfigureOutcome.Configured::new)
                .recover(cause -> SqlFailure.of(cause) == SqlFailure.FORBIDDEN
                        ? Future.succeededFuture(new ConfigureOutcome.Forbidden(SqlFailure.messageOf(cause)))
                        : Future.failedFuture(cause));
    }

    /** Without any key nothing could be pushed to an encrypted queue. */
    private Future<Boolean> isKeyKnown(Connection connection) {
        return hasKey ? Future.succeededFuture(true) : routines.isKeyKnown(connection);
    }

    @Override
    public void settle(ConfigureCommand command, ConfigureOutcome outcome) {
        if (outcome instanceof ConfigureOutcome.Configured(var queue)) {
            onConfigured.accept(queue);
        }
        command.reply().succeed(outcome);
    }

    @Override
    public void refuse(ConfigureCommand command, Failure failure) {
        command.reply().fail(failure);
    }
}
