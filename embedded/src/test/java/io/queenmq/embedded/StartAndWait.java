package io.queenmq.embedded;

import java.nio.file.Path;

/** A process of its own for the tests that kill one: starts PostgreSQL, says where it is, stays. */
final class StartAndWait {
    private StartAndWait() {}

    /** Takes the home directory; prints the port and the process id of the postmaster. */
    public static void main(String[] args) throws InterruptedException {
        var postgres = EmbeddedPostgres.start(Path.of(args[0]));
        System.out.println("started " + postgres.port() + " " + postgres.pid());
        Thread.currentThread().join();
    }
}
