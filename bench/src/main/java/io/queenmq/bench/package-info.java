/**
 * {@code queen bench}: puts load on a server over HTTP, checks every response, and reports throughput, latency and CPU cost.
 *
 * <p>It uses only the HTTP API of the server. The thread that calls {@link io.queenmq.bench.BenchCommand#run} does all measured
 * work. It shares the cores with the server, so requests are created once and responses are scanned, not parsed.
 */
@NullMarked
package io.queenmq.bench;

import org.jspecify.annotations.NullMarked;
