package io.queenmq.server.catalog;

import io.queenmq.server.postgres.Link;
import io.queenmq.server.reply.Failure;
import io.queenmq.server.wave.Carrier;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Consumer;

/** Carries one change of a queue's options at a time, and refuses encryption that nobody could do. Owned by the engine loop. */
final class ConfigureCarrier implements Carrier<ConfigureCommand, ConfigureOutcome> {
    private final QueueRoutines routines;
    private final boolean hasKey;
    private final Consumer<Queue> onConfigured;

    /** @param hasKey whether this server can encrypt */
    ConfigureCarrier(QueueRoutines routines, boolean hasKey, Consumer<Queue> onConfigured) {
        this.routines = routines;
        this.hasKey = hasKey;
        this.onConfigured = onConfigured;
    }

    @Override
    public Future<List<ConfigureOutcome>> carry(Link link, List<ConfigureCommand> wave) {
        ConfigureCommand command = wave.getFirst();
        if (!isEncryptionAsked(command)) {
            return configure(link, command).map(List::of);
        }
        // The answer means that nothing will be stored in clear any more, by no server.
        return isKeyKnown(link).compose(isKnown -> isKnown
                ? configure(link, command).compose(outcome -> routines.awaitPushes(link).map(outcome))
                : Future.succeededFuture(new ConfigureOutcome.NoKey())).map(List::of);
    }

    private Future<ConfigureOutcome> configure(Link link, ConfigureCommand command) {
        return routines.configure(link, command).map(ConfigureOutcome.Configured::new);
    }

    /** Without any key nothing could be pushed to an encrypted queue. */
    private Future<Boolean> isKeyKnown(Link link) {
        return hasKey ? Future.succeededFuture(true) : routines.isKeyKnown(link);
    }

    @Override
    public void settle(ConfigureCommand command, ConfigureOutcome outcome) {
        if (outcome instanceof ConfigureOutcome.Configured(var queue)) {
            onConfigured.accept(queue);
        }
        command.reply().succeed(outcome);
    }

    private static boolean isEncryptionAsked(ConfigureCommand command) {
        return Boolean.TRUE.equals(command.options().encryptionEnabled());
    }

    @Override
    public void refuse(ConfigureCommand command, Failure failure) {
        command.reply().fail(failure);
    }
}
