package io.queenmq.client;

/** The behavior of a full buffer. */
public enum WhenFull {
    /** The push waits for capacity. */
    BLOCK,
    /** The push fails at once with a {@link io.queenmq.client.error.BufferFullException}. */
    FAIL
}
