/**
 * The Queen server. A message walks through the packages once: {@code http} takes the request in, {@code push},
 * {@code pop}, {@code ack} and their like decide on the engine's loop, {@code batch} gathers requests into database
 * calls, {@code postgres} carries them out. {@link io.queenmq.server.Server} is where the parts are put together.
 */
package io.queenmq.server;
