package io.queenmq.client.operator;

import java.time.Instant;

/** A name under which things were noted, over the messages of one business case for example. */
public record TraceName(String name, long traces, long messages, Instant lastSeenAt) {}
