package io.queenmq.engine.command;

import io.queenmq.engine.reply.Reply;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Releases a lease whose messages could not be delivered to the client. No attempt is charged. */
public record ReleaseCommand(UUID leaseId, String group, List<UUID> partitionIds) implements Command {
    @Override
    public Reply<@Nullable Void> reply() {
        return Reply.ignored();
    }
}
