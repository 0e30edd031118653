/**
 * Starts and stops a server. {@link io.queenmq.server.Server} creates its parts and connects them.
 */
@NullMarked
package io.queenmq.server;

import org.jspecify.annotations.NullMarked;
