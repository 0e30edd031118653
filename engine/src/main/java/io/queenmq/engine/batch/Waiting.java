package io.queenmq.engine.batch;

/** A request that waits for a call, and what became of the calls it was in. Owned by its {@link Batches}. */
final class Waiting<C> {
    final C command;
    final long sinceNs;
    String failure;
    int losses;
    int retries;

    Waiting(C command, long sinceNs) {
        this.command = command;
        this.sinceNs = sinceNs;
    }
}
