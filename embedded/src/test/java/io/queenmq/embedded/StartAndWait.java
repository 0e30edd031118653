package io.queenmq.embedded;

import java.nio.file.Path;

/** A process for tests that kill it: starts PostgreSQL, prints its port and process id, and waits. */
final class StartAndWait {
    private StartAndWait() {}

    /** Expects the home directory as argument. Prints the port and the process id of the postmaster. */
    public static void main(String[] args) throws InterruptedException {
        var postgres = EmbeddedPostgres.start(Path.of(args[0]));
        System.out.println("started " + postgres.port() + " " + postgres.pid());
        Thread.currentThread().join();
    }
}
