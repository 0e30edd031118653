package io.queenmq.engine.command;

import io.queenmq.engine.reply.Reply;
import java.util.List;
import java.util.UUID;

/** A validated transaction: all operations take effect, or none does. */
public record TransactCommand(List<Operation> operations, List<UUID> requiredLeases,
        Reply<TransactOutcome> reply) implements Command {
    /** One operation, in the order of the request; pushes of several items are one operation per item. */
    public sealed interface Operation {
        record Push(PushItem item) implements Operation {}

        record Ack(AckItem item) implements Operation {}
    }
}
