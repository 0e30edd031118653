/**
 * The core of the server: everything between the HTTP routes and the database driver. It opens no sockets, starts no
 * threads and reads no real clock, so the simulation runs it unchanged.
 */
@NullMarked
package io.queenmq.engine;

import org.jspecify.annotations.NullMarked;
