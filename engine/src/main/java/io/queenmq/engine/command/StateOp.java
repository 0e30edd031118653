package io.queenmq.engine.command;

import org.jspecify.annotations.Nullable;

/**
 * One change of state.
 *
 * @param value the value as JSON; null deletes the key
 * @param windowEnd the field windowEnd of the value; null if it has none
 */
public record StateOp(String key, byte @Nullable [] value, @Nullable Double windowEnd) {}
