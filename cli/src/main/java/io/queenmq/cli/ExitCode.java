package io.queenmq.cli;

/** The exit codes of commands. */
final class ExitCode {
    static final int OK = 0;
    /** The command line is wrong. */
    static final int USER = 1;
    /** The server is unreachable or failed. */
    static final int SERVER = 2;
    /** The token is missing or insufficient. */
    static final int ACCESS = 3;
    /** There is no such object, or no message. */
    static final int NOTHING = 4;

    private ExitCode() {}
}
