package io.queenmq.engine.command;

import io.queenmq.engine.reply.Reply;
import org.jspecify.annotations.Nullable;

/**
 * Signals that a queue may have messages to deliver. Waiting pops of this server and of its peers try again.
 *
 * @param partition null for any partition of the queue
 */
public record ArrivalCommand(String queue, @Nullable String partition) implements Command {
    @Override
    public Reply<@Nullable Void> reply() {
        return Reply.ignored();
    }
}
