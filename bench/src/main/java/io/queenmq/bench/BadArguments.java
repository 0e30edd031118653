package io.queenmq.bench;

/** The command line is invalid. The message is shown to the user. */
final class BadArguments extends RuntimeException {
    BadArguments(String message) {
        super(message);
    }
}
