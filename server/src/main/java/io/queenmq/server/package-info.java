/**
 * Starts and stops a server. {@link io.queenmq.server.Server} creates its parts and connects them.
 */
package io.queenmq.server;
