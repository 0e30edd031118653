package io.queenmq.engine.command;

import io.queenmq.engine.queue.Queue;

/** The outcome of a {@link ConfigureCommand}. */
public sealed interface ConfigureOutcome {
    /** The queue was stored as given here. */
    record Configured(Queue queue) implements ConfigureOutcome {}

    /** Encryption was requested and no known server has a key. Nothing was changed. */
    record NoKey() implements ConfigureOutcome {}

    /** The change would remove messages or protection, and the caller lacks the right to do that. Nothing was changed. */
    record Forbidden(String reason) implements ConfigureOutcome {}
}
