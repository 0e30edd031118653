package io.queenmq.engine.batch;

import org.jspecify.annotations.Nullable;

/** A request that waits for a call, and the results of its earlier calls. Owned by its {@link Batches}. */
final class Waiting<C> {
    final C command;
    final long sinceNs;
    @Nullable
    String failure;
    int losses;
    int retries;

    Waiting(C command, long sinceNs) {
        this.command = command;
        this.sinceNs = sinceNs;
    }
}
