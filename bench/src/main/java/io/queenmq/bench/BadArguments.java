package io.queenmq.bench;

/** What is wrong with the command line, in words for the user. */
final class BadArguments extends RuntimeException {
    BadArguments(String message) {
        super(message);
    }
}
