package io.queenmq.client;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;

/** The outcome of a delivery. */
public sealed interface Outcome {
    /** The message is finished. */
    record Ack() implements Outcome {}

    /**
     * The message is redelivered after this time, and its partition waits. The attempt does not count as a failure. The
     * consumer keeps the lease of the partition meanwhile: if the application ends without closing the consumer, the
     * lease must expire first.
     */
    record RetryAfter(Duration delay) implements Outcome {
        public RetryAfter {
            if (delay.isNegative()) {
                throw new IllegalArgumentException("delay must not be negative, but is " + delay);
            }
        }
    }

    /**
     * The message is redelivered at this time, and its partition waits. The attempt does not count as a failure. Like
     * {@link RetryAfter}, the consumer keeps the lease of the partition meanwhile.
     */
    record RetryAt(Instant time) implements Outcome {
        public RetryAt {
            requireNonNull(time, "time");
        }
    }

    /** The message is dead-lettered at once, and its partition continues. */
    record DeadLetter(String reason) implements Outcome {
        public DeadLetter {
            requireNonNull(reason, "reason");
        }
    }

    /** The attempt failed. The message is redelivered in its place until its attempts are used up. */
    record Fail(String reason) implements Outcome {
        public Fail {
            requireNonNull(reason, "reason");
        }
    }

    static Outcome ack() {
        return new Ack();
    }

    /** Returns this number of acknowledgments, for a batch. */
    static List<Outcome> ack(int messages) {
        return Collections.nCopies(messages, ack());
    }

    static Outcome retryAfter(Duration delay) {
        return new RetryAfter(delay);
    }

    static Outcome retryAt(Instant time) {
        return new RetryAt(time);
    }

    static Outcome deadLetter(String reason) {
        return new DeadLetter(reason);
    }

    static Outcome fail(String reason) {
        return new Fail(reason);
    }
}
