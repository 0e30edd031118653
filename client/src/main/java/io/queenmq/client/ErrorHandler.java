package io.queenmq.client;

/**
 * Decides what is to become of a message whose handler threw. Called by the consumer's threads after the listener was told;
 * to throw is to fail the message. When a handler of batches threw, it is asked about the first message: to retry later counts
 * for all of them, anything else fails all of them unless there is but one, since nobody knows which is to blame.
 */
@FunctionalInterface
public interface ErrorHandler {
    Outcome decide(Delivery<?> delivery, Throwable failure) throws Exception;

    /**
     * What a consumer has unless it is told otherwise. A payload that cannot be decoded today cannot be decoded tomorrow, so it
     * goes to the dead letters at once, and its partition goes on; everything else is delivered again as often as the queue allows.
     */
    static ErrorHandler standard() {
        return (delivery, failure) -> delivery.isUndecodable()
                ? Outcome.deadLetter(failure.toString())
                : Outcome.fail(failure.toString());
    }

    /** Whatever went wrong, the message is delivered again as often as the queue allows. */
    static ErrorHandler retrying() {
        return (delivery, failure) -> Outcome.fail(failure.toString());
    }
}
