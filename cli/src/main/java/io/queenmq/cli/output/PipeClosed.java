package io.queenmq.cli.output;

/** Whoever was reading what is printed has seen enough, as in {@code | head}. */
public final class PipeClosed extends RuntimeException {
    PipeClosed() {
        super("nobody reads the output any more", null, false, false);
    }
}
