package io.queenmq.cli;

import io.queenmq.client.operator.MessageFilter;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The options that select dead letters, shared by several commands. */
final class DeadLetterFilter {
    @Parameters(arity = "0..1", paramLabel = "QUEUE", description = "Only dead letters of this queue.")
    private @Nullable String queue;

    @Option(names = {"-p",
        "--partition"}, paramLabel = "PARTITION", description = "Only dead letters of this partition.")
    private @Nullable String partition;

    @Option(names = {"-g", "--group"}, paramLabel = "GROUP", description = "Only dead letters of this consumer group.")
    private @Nullable String group;

    @Option(names = "--error", paramLabel = "TEXT", description = "Only dead letters whose error contains this text.")
    private @Nullable String error;

    @Option(names = "--since", paramLabel = "TIME", converter = Moments.ToInstant.class, description = "Only failures since this time, such as 2h or 2027-01-31T12:00:00Z.")
    private @Nullable Instant since;

    @Option(names = "--until", paramLabel = "TIME", converter = Moments.ToInstant.class, description = "Only failures until this time.")
    private @Nullable Instant until;

    @Nullable
    String queue() {
        return queue;
    }

    String requireQueue() {
        if (queue == null) {
            throw CommandFailed.byUser("QUEUE is missing; name the queue");
        }
        return queue;
    }

    /** @param limit maximum number of dead letters */
    MessageFilter filter(int limit) {
        return MessageFilter.any().queue(queue).partition(partition).group(group).error(error).between(since, until)
                .page(limit, 0);
    }
}
