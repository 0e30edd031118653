/** Checks whether a server can run with its settings on this machine, and states the remedies. */
@NullMarked
package io.queenmq.server.doctor;

import org.jspecify.annotations.NullMarked;
