package io.queenmq.engine.command;

/**
 * One change of state.
 *
 * @param value JSON; null deletes the key
 * @param windowEnd the number of that name in the value; null when there is none
 */
public record StateOp(String key, byte[] value, Double windowEnd) {}
