package io.queenmq.cli;

/** The command ends here, with a line for the user and an exit code. */
final class CommandFailed extends RuntimeException {
    private final int exitCode;

    private CommandFailed(int exitCode, String message) {
        super(message, null, false, false);
        this.exitCode = exitCode;
    }

    /** The user can mend it. */
    static CommandFailed byUser(String message) {
        return new CommandFailed(ExitCode.USER, message);
    }

    static CommandFailed byServer(String message) {
        return new CommandFailed(ExitCode.SERVER, message);
    }

    /** There was nothing to do. */
    static CommandFailed nothing(String message) {
        return new CommandFailed(ExitCode.NOTHING, message);
    }

    int exitCode() {
        return exitCode;
    }
}
