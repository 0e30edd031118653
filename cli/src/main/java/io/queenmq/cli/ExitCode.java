package io.queenmq.cli;

/** What a command tells the shell. */
final class ExitCode {
    static final int OK = 0;
    /** The command, or what it speaks of, is wrong. */
    static final int USER = 1;
    /** The server cannot be reached, or could not do it. */
    static final int SERVER = 2;
    /** The token is missing, or does not allow it. */
    static final int ACCESS = 3;
    /** All is well, but there was nothing there. */
    static final int NOTHING = 4;

    private ExitCode() {}
}
