package io.queenmq.client;

/** What a full buffer does with one more message. */
public enum WhenFull {
    /** The one who pushes waits until there is room. */
    BLOCK,
    /** The one who pushes is told at once, by a {@link io.queenmq.client.error.BufferFullException}. */
    FAIL
}
