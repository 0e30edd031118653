/**
 * The PostgreSQL that Queen starts by itself when no other is named.
 *
 * <p>It unpacks the binaries, makes a data directory, and runs the postmaster as a child of this process. It touches
 * nothing outside its home directory. Every call blocks; one thread, {@code queen-postgres}, stays with the child.
 */
@NullMarked
package io.queenmq.embedded;

import org.jspecify.annotations.NullMarked;
