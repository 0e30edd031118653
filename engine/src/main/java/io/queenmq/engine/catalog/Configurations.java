package io.queenmq.engine.catalog;

import io.queenmq.engine.batch.Carrier;
import io.queenmq.engine.command.ConfigureCommand;
import io.queenmq.engine.command.ConfigureOutcome;
import io.queenmq.engine.connection.Connection;
import io.queenmq.engine.connection.SqlFailure;
import io.queenmq.engine.queue.QueueOptions;
import io.queenmq.engine.reply.Failure;
import io.vertx.core.Future;
import java.util.List;

/** Configures queues in the database, one at a time. Owned by the engine loop. */
final class Configurations implements Carrier<ConfigureCommand, ConfigureOutcome> {
    private final QueueRoutines routines;
    private final boolean hasKey;
    private final Catalog catalog;

    /** The condition under which a configuration is stored, and the time at which it is complete. */
    enum Mode {
        /** Encryption is not switched on. Stored unconditionally, complete when it is stored. */
        PLAIN,
        /**
         * Encryption is switched on, and this server has a key. Complete when no server can store a message in clear text any
         * more: pushes that began before it was stored have to end first.
         */
        ENCRYPT,
        /** As {@link #ENCRYPT}, but stored only if another server has a key. Without any key, every push would fail. */
        ENCRYPT_WITH_KEY_OF_ANOTHER_SERVER;

        /** @param hasKey true if this server has a key */
        static Mode of(QueueOptions options, boolean hasKey) {
            if (!Boolean.TRUE.equals(options.encryptionEnabled())) {
                return PLAIN;
            }
            return hasKey ? ENCRYPT : ENCRYPT_WITH_KEY_OF_ANOTHER_SERVER;
        }
    }

    /** @param hasKey true if this server has a key */
    Configurations(QueueRoutines routines, boolean hasKey, Catalog catalog) {
        this.routines = routines;
        this.hasKey = hasKey;
        this.catalog = catalog;
    }

    @Override
    public Future<List<ConfigureOutcome>> carry(Connection connection, List<ConfigureCommand> batch) {
        ConfigureCommand command = batch.getFirst();
        Future<ConfigureOutcome> outcome = switch (Mode.of(command.options(), hasKey)) {
            case PLAIN -> configure(connection, command);
            case ENCRYPT -> encrypt(connection, command);
            case ENCRYPT_WITH_KEY_OF_ANOTHER_SERVER -> routines.isKeyKnown(connection)
                    .compose(isKnown -> isKnown
                            ? encrypt(connection, command)
                            : Future.succeededFuture(new ConfigureOutcome.NoKey()));
        };
        return outcome.map(List::of);
    }

    private Future<ConfigureOutcome> encrypt(Connection connection, ConfigureCommand command) {
        return configure(connection, command).compose(outcome -> routines.awaitPushes(connection).map(outcome));
    }

    private Future<ConfigureOutcome> configure(Connection connection, ConfigureCommand command) {
        return routines.configure(connection, command).<ConfigureOutcome>map(ConfigureOutcome.Configured::new)
                .recover(cause -> SqlFailure.of(cause) == SqlFailure.FORBIDDEN
                        ? Future.succeededFuture(new ConfigureOutcome.Forbidden(SqlFailure.messageOf(cause)))
                        : Future.failedFuture(cause));
    }

    @Override
    public void settle(ConfigureCommand command, ConfigureOutcome outcome) {
        if (outcome instanceof ConfigureOutcome.Configured(var queue)) {
            catalog.changed(queue);
        }
        command.reply().succeed(outcome);
    }

    @Override
    public void refuse(ConfigureCommand command, Failure failure) {
        command.reply().fail(failure);
    }
}
