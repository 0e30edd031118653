package io.queenmq.client;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides the outcome of a message whose handler threw. Called by the consumer's threads after the listener. If it
 * throws, the message has failed. If a batch handler threw without naming a message, it is called with the first
 * message. Then {@code retryAfter} applies to all messages of the batch, and any other outcome fails all of them unless
 * the batch has one message, because the failing message is unknown.
 *
 * <p>Messages whose payload cannot be decoded are decided by {@link ConsumerBuilder#undecodable} before.
 */
@FunctionalInterface
public interface ErrorHandler {
    /** Returns the outcome; null to leave the decision to the next handler of a {@link #chain}. */
    @Nullable
    Outcome decide(Delivery<?> delivery, Throwable failure) throws Exception;

    /** Returns the default error handler: a failed message is redelivered as often as the queue allows. */
    static ErrorHandler standard() {
        return (delivery, failure) -> Outcome.fail(failure.toString());
    }

    /** Returns an error handler that dead-letters every message at once. */
    static ErrorHandler deadLettering() {
        return (delivery, failure) -> Outcome.deadLetter(failure.toString());
    }

    /** Returns an error handler that asks these handlers in order until one decides. If none does, the message fails. */
    static ErrorHandler chain(List<? extends ErrorHandler> handlers) {
        List<ErrorHandler> all = List.copyOf(handlers);
        return (delivery, failure) -> {
            for (ErrorHandler each : all) {
                Outcome outcome = each.decide(delivery, failure);
                if (outcome != null) {
                    return outcome;
                }
            }
            return Outcome.fail(failure.toString());
        };
    }

    /** Returns this handler with a fallback for failures that it does not decide. */
    default ErrorHandler orElse(ErrorHandler next) {
        return chain(List.of(this, next));
    }

    /**
     * Returns a handler that dead-letters messages at once whose failure, or one of its causes, has one of these types,
     * because a retry cannot succeed. It leaves other failures to the next handler.
     */
    @SafeVarargs
    @SuppressWarnings("varargs")
    static ErrorHandler notRetryable(Class<? extends Throwable>... types) {
        List<Class<? extends Throwable>> all = List.of(types);
        return (delivery,
                failure) -> FailureCauses.contain(failure, all) ? Outcome.deadLetter(failure.toString()) : null;
    }

    /**
     * Returns a handler that dead-letters a message at its given attempt or later, if the {@code retryLimit} of the
     * queue allows more attempts. It leaves earlier failures to the next handler.
     */
    static ErrorHandler maxAttempts(int attempts) {
        if (attempts < 1) {
            throw new IllegalArgumentException("attempts must be at least 1, not " + attempts);
        }
        return (delivery, failure) -> delivery.attempt() < attempts ? null : Outcome.deadLetter(failure.toString());
    }
}
