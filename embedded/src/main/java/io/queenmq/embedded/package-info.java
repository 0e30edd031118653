/**
 * The embedded PostgreSQL, which Queen starts if no other is configured.
 *
 * <p>It unpacks the binaries, creates a data directory, and runs the postmaster as a child process. It changes nothing outside of
 * its home directory. All calls block. The thread {@code queen-postgres} lives as long as the child process.
 */
@NullMarked
package io.queenmq.embedded;

import org.jspecify.annotations.NullMarked;
