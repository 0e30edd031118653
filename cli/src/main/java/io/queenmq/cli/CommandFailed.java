package io.queenmq.cli;

import org.jspecify.annotations.Nullable;
/** Ends a command with an error line and an exit code. */
final class CommandFailed extends RuntimeException {
    private final int exitCode;

    private CommandFailed(int exitCode, @Nullable String message) {
        super(message, null, false, false);
        this.exitCode = exitCode;
    }

    /** Returns a failure that the user can correct. */
    static CommandFailed byUser(@Nullable String message) {
        return new CommandFailed(ExitCode.USER, message);
    }

    static CommandFailed byServer(@Nullable String message) {
        return new CommandFailed(ExitCode.SERVER, message);
    }

    /** Returns a failure because nothing was found or nothing is to be done. */
    static CommandFailed nothing(String message) {
        return new CommandFailed(ExitCode.NOTHING, message);
    }

    int exitCode() {
        return exitCode;
    }
}
