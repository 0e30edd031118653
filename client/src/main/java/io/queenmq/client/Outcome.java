package io.queenmq.client;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/** What is to become of a message. */
public sealed interface Outcome {
    /** It is done. */
    record Ack() implements Outcome {}

    /**
     * It, and its partition, rest for this long and are then delivered again; nothing is counted as a failure. The partition is held
     * by this consumer meanwhile: if the application ends without closing it, the lease has to run out first.
     */
    record RetryAfter(Duration delay) implements Outcome {
        public RetryAfter {
            if (delay.isNegative()) {
                throw new IllegalArgumentException("delay must not be negative, but is " + delay);
            }
        }
    }

    /** It goes to the dead letters at once, and the partition goes on. */
    record DeadLetter(String reason) implements Outcome {
        public DeadLetter {
            requireNonNull(reason, "reason");
        }
    }

    /** It went wrong: it is delivered again, in its place, until its deliveries are used up. */
    record Fail(String reason) implements Outcome {
        public Fail {
            requireNonNull(reason, "reason");
        }
    }

    static Outcome ack() {
        return new Ack();
    }

    static Outcome retryAfter(Duration delay) {
        return new RetryAfter(delay);
    }

    static Outcome deadLetter(String reason) {
        return new DeadLetter(reason);
    }

    static Outcome fail(String reason) {
        return new Fail(reason);
    }
}
