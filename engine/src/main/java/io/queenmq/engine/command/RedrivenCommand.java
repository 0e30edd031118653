package io.queenmq.engine.command;

import io.queenmq.engine.reply.Reply;
import org.jspecify.annotations.Nullable;

/** Counts dead letters that a committed transaction moved into a partition, and signals their arrival. */
public record RedrivenCommand(String queue, String partition, int messages) implements Command {
    @Override
    public Reply<@Nullable Void> reply() {
        return Reply.ignored();
    }
}
