package io.queenmq.cli;

import io.queenmq.client.operator.MessageFilter;
import java.time.Instant;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which dead letters are meant: the same options wherever it matters. */
final class DeadLetterFilter {
    @Parameters(arity = "0..1", paramLabel = "QUEUE", description = "Only of this queue.")
    private String queue;

    @Option(names = {"-p", "--partition"}, paramLabel = "PARTITION", description = "Only of this partition.")
    private String partition;

    @Option(names = {"-g", "--group"}, paramLabel = "GROUP", description = "Only of the group that gave up.")
    private String group;

    @Option(names = "--error", paramLabel = "TEXT", description = "Only errors with this in them.")
    private String error;

    @Option(names = "--since", paramLabel = "TIME", converter = Moments.ToInstant.class, description = "Failed not earlier.")
    private Instant since;

    @Option(names = "--until", paramLabel = "TIME", converter = Moments.ToInstant.class, description = "Failed not later.")
    private Instant until;

    String queue() {
        return queue;
    }

    String requireQueue() {
        if (queue == null) {
            throw CommandFailed.byUser("name the queue");
        }
        return queue;
    }

    /** @param limit at most so many */
    MessageFilter filter(int limit) {
        return MessageFilter.any().queue(queue).partition(partition).group(group).error(error).between(since, until)
                .page(limit, 0);
    }
}
