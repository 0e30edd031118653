package io.queenmq.client.operator;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A stream query and its progress.
 *
 * @param configHash the hash of its configuration
 * @param group the group of its runners
 * @param partitions the partitions that it has processed
 * @param stateRows the number of keys in its state
 * @param stateBytes of keys and values, as stored
 * @param cycles committed cycles
 * @param flushes committed cycles that acknowledged nothing
 * @param lag the number of unfinished messages of its group
 * @param lagTime the age of the oldest of them
 */
public record StreamQuery(String id, String name, String sourceQueue, @Nullable String sinkQueue, String configHash,
        String group, long partitions, long stateRows, long stateBytes, long cycles, long flushes, long messages,
        long emitted, @Nullable Instant lastCycleAt, long lag, Duration lagTime) {}
