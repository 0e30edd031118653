/**
 * The way to the servers: JSON, HTTP, which server to ask, and what to do when it does not answer. Not part of the API.
 *
 * <p>Safe from any thread; a call blocks the thread that makes it.
 */
@NullMarked
package io.queenmq.client.wire;

import org.jspecify.annotations.NullMarked;
