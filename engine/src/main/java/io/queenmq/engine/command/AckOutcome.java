package io.queenmq.engine.command;

/**
 * What became of one acknowledgement.
 *
 * @param queue the message's queue; null when the partition is unknown
 * @param partition the partition's name; null when the partition is unknown
 * @param error why it was not accepted; null when it was
 * @param isLeaseReleased whether the lease it belongs to is over
 * @param isDead whether the message went to the dead letters
 */
public record AckOutcome(String queue, String partition, String error, boolean isLeaseReleased, boolean isDead) {
    public boolean isAccepted() {
        return error == null;
    }
}
