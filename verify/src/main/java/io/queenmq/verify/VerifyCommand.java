package io.queenmq.verify;

import io.queenmq.embedded.EmbeddedPostgresException;
import io.queenmq.verify.cluster.SetupException;
import io.queenmq.verify.fault.Faults;
import io.queenmq.verify.report.RunResult;
import java.io.UncheckedIOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The command {@code queen verify}. */
public final class VerifyCommand {
    public static final int HELD = 0;
    public static final int VIOLATED = 1;
    public static final int NOT_RUN = 2;

    private VerifyCommand() {}

    /** Executes the command and returns its exit code. */
    public static int run(String... args) {
        return run(null, args);
    }

    /**
     * Executes the command and returns its exit code.
     *
     * @param program the command that starts a server; null for the server of this process
     */
    public static int run(@Nullable List<String> program, String... args) {
        if (List.of(args).contains("--list")) {
            System.out.print(Faults.table());
            return HELD;
        }
        try {
            VerifyOptions options = VerifyOptions.parse(args);
            if (options.isHelp()) {
                System.out.print(VerifyOptions.USAGE);
                return HELD;
            }
            RunResult result = new VerifyRun(program == null ? options : options.withProgram(program)).execute();
            return result.isHeld() ? HELD : VIOLATED;
        } catch (IllegalArgumentException e) {
            System.err.println("queen verify: " + e.getMessage() + ". See queen verify --help.");
            return NOT_RUN;
        } catch (SetupException | EmbeddedPostgresException | UncheckedIOException e) {
            System.err.println("queen verify: " + e.getMessage()
                    + (e.getCause() == null ? "" : " (" + e.getCause().getMessage() + ")"));
            return NOT_RUN;
        }
    }
}
