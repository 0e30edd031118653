package io.queenmq.client.operator;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A stream query and what it has done.
 *
 * @param configHash the fingerprint of what it does
 * @param group the group its runners read with
 * @param partitions those it has worked on
 * @param stateRows keys in its state
 * @param stateBytes of keys and values, as stored
 * @param cycles those that took effect
 * @param flushes how many of them acknowledged nothing
 * @param lag messages its group has not finished
 * @param lagTime how old the oldest of them is
 */
public record StreamQuery(String id, String name, String sourceQueue, @Nullable String sinkQueue, String configHash,
        String group, long partitions, long stateRows, long stateBytes, long cycles, long flushes, long messages,
        long emitted, @Nullable Instant lastCycleAt, long lag, Duration lagTime) {}
