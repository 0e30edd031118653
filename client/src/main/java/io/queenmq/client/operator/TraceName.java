package io.queenmq.client.operator;

import java.time.Instant;

/** A name of trace events, for example of the messages of one business case. */
public record TraceName(String name, long traces, long messages, Instant lastSeenAt) {}
