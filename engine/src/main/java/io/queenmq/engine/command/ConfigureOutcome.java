package io.queenmq.engine.command;

import io.queenmq.engine.queue.Queue;

/** What became of a {@link ConfigureCommand}. */
public sealed interface ConfigureOutcome {
    /** The queue as it is now. */
    record Configured(Queue queue) implements ConfigureOutcome {}

    /** Encryption was asked for, and no server that is known has a key: nothing was changed. */
    record NoKey() implements ConfigureOutcome {}

    /** The change would remove messages or protection, which the caller may not do: nothing was changed. */
    record Forbidden(String reason) implements ConfigureOutcome {}
}
