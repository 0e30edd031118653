package io.queenmq.engine.command;

import org.jspecify.annotations.Nullable;

/**
 * The outcome of one acknowledgment.
 *
 * @param queue the name of the queue; null if the partition is unknown
 * @param partition the name of the partition; null if it is unknown
 * @param error the reason for its rejection; null if it was accepted
 * @param isLeaseReleased true if the call ended its lease
 * @param isDead true if the message became a dead letter
 */
public record AckOutcome(@Nullable String queue, @Nullable String partition, @Nullable String error,
        boolean isLeaseReleased, boolean isDead) {
    public boolean isAccepted() {
        return error == null;
    }
}
