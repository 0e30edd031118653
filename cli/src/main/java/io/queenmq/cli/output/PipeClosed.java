package io.queenmq.cli.output;

/** The reader of the output has closed the pipe, as {@code head} does. */
public final class PipeClosed extends RuntimeException {
    PipeClosed() {
        super("the reader has closed the output", null, false, false);
    }
}
