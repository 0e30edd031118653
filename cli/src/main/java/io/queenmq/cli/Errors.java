package io.queenmq.cli;

import io.queenmq.cli.output.PipeClosed;
import io.queenmq.cli.settings.SettingsException;
import io.queenmq.client.RejectedException;
import io.queenmq.client.error.CodecException;
import io.queenmq.client.error.QueenException;
import io.queenmq.client.error.RefusedException;
import io.queenmq.client.error.TransactionAbortedException;
import io.queenmq.client.error.UnavailableException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Converts exceptions to one error line and an exit code. Stack traces are never printed. */
final class Errors implements IParameterExceptionHandler, IExecutionExceptionHandler {
    @Override
    public int handleParseException(ParameterException failure, String[] args) {
        CommandLine line = failure.getCommandLine();
        QueenCommand root = root(line);
        String text = firstLine(failure.getMessage());
        if (failure instanceof UnmatchedArgumentException unmatched && !unmatched.getSuggestions().isEmpty()) {
            text += "; did you mean " + String.join(" or ", unmatched.getSuggestions()) + "?";
        }
        root.output().error(text + " (see " + line.getCommandSpec().qualifiedName() + " --help)");
        return ExitCode.USER;
    }

    @Override
    public int handleExecutionException(Exception failure, CommandLine line, ParseResult parsed) {
        if (failure instanceof PipeClosed) {
            return ExitCode.OK;
        }
        if (failure instanceof ParameterException misused) {
            return handleParseException(misused, new String[0]);
        }
        QueenCommand root = root(line);
        root.output().error(firstLine(text(failure, root)));
        return exitCode(failure);
    }

    private static int exitCode(Exception failure) {
        return switch (failure) {
            case CommandFailed failed -> failed.exitCode();
            case RefusedException refused ->
                refused.isAboutAccess() ? ExitCode.ACCESS : refused.status() == 404 ? ExitCode.NOTHING : ExitCode.USER;
            case RejectedException rejected -> ExitCode.SERVER;
            case CodecException codec -> ExitCode.USER;
            case TransactionAbortedException aborted -> ExitCode.USER;
            case QueenException queen -> ExitCode.SERVER;
            case IllegalArgumentException argument -> ExitCode.USER;
            case SettingsException settings -> ExitCode.USER;
            case UncheckedIOException io -> ExitCode.USER;
            default -> ExitCode.SERVER;
        };
    }

    private static String text(Exception failure, QueenCommand root) {
        String message = failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
        return switch (failure) {
            case UnavailableException unavailable when unavailable.getCause() instanceof ConnectException ->
                "no response from " + String.join(", ", root.target().urls()) + "; is it running?";
            case RefusedException refused when refused.status() == 401 ->
                "the server requires a token: " + message + " (see queen config --help)";
            case TransactionAbortedException aborted -> "nothing was done: " + message;
            case UncheckedIOException io when io.getCause() != null -> String.valueOf(io.getCause().getMessage());
            default -> message;
        };
    }

    private static QueenCommand root(CommandLine line) {
        return (QueenCommand) line.getCommandSpec().root().userObject();
    }

    private static String firstLine(@Nullable String text) {
        return text == null ? "failed without a message" : text.lines().findFirst().orElse(text);
    }
}
