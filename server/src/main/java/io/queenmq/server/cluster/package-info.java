/**
 * Sends hints between servers with JGroups over TCP. Members discover each other through the database or a configured list.
 * Every received byte must have been sealed by a member before JGroups reads it. Runs on its own threads; callers never wait.
 */
@NullMarked
package io.queenmq.server.cluster;

import org.jspecify.annotations.NullMarked;
