/**
 * Queen for Java applications. Begin with {@link io.queenmq.client.Queen}.
 *
 * <p>Everything is safe from any thread unless it says otherwise. Calls block, and are meant to be made from virtual
 * threads; each has a twin ending in {@code Async} that returns a future.
 */
@NullMarked
package io.queenmq.client;

import org.jspecify.annotations.NullMarked;
