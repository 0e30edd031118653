/**
 * The push room: a line per lane, duplicate windows, segments. Through waves it calls push, push_bounded and catch_up. What it stores it
 * announces with {@link io.queenmq.server.lane.Arrivals}. Runs on the engine loop.
 */
package io.queenmq.server.push;
