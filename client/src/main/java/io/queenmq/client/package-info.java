/**
 * The Queen client for Java applications. The entry point is {@link io.queenmq.client.Queen}.
 *
 * <p>All types are thread-safe unless stated otherwise. Calls block and should be made from virtual threads. Each has
 * an asynchronous variant, named {@code …Async}, which returns a future.
 */
@NullMarked
package io.queenmq.client;

import org.jspecify.annotations.NullMarked;
