package io.queenmq.smallrye;

import io.queenmq.client.Outcome;
import java.util.Arrays;
import java.util.Locale;

/** The outcome of a message that the application rejects. */
enum FailureStrategy {
    /** The attempt has failed: the message is redelivered in its place until its attempts are used up. */
    RETRY,
    /** The message is dead-lettered at once, and its partition continues. */
    DEAD_LETTER,
    /** The message is finished. */
    IGNORE;

    static FailureStrategy parse(String channel, String name) {
        return Arrays.stream(values()).filter(each -> each.text().equals(name)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("the failure-strategy of the channel '" + channel
                        + "' is '" + name + "'; use retry, dead-letter or ignore"));
    }

    private String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    Outcome outcome(Throwable failure) {
        return switch (this) {
            case RETRY -> Outcome.fail(failure.toString());
            case DEAD_LETTER -> Outcome.deadLetter(failure.toString());
            case IGNORE -> Outcome.ack();
        };
    }
}
