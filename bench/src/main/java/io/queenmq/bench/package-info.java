/**
 * {@code queen bench}: puts load on a server over HTTP, checks every answer, and says how fast it was and what that cost.
 *
 * <p>It knows the server by its HTTP API alone. One thread, the one that calls {@link io.queenmq.bench.BenchCommand#run},
 * does everything that is measured; it shares the cores with what it measures, so requests are made once and answers are
 * looked through, not parsed.
 */
@NullMarked
package io.queenmq.bench;

import org.jspecify.annotations.NullMarked;
