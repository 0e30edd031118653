package io.queenmq.server;

/** The command line of Queen. */
public final class Main {
    private Main() {}

    /** Prints how to use the command. */
    public static void main(String[] args) {
        System.err.println("usage: queen serve");
    }
}
