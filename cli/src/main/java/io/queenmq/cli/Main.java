package io.queenmq.cli;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** Entry point of the command line. */
public final class Main {
    private static final String CONFIG = "--config";

    private Main() {}

    public static void main(String[] args) {
        String command = args.length == 0 ? "" : args[0];
        if (command.equals("serve") && isStart(args)) {
            Map<String, String> environment = new HashMap<>(System.getenv());
            if (args.length > 1) {
                environment.put("QUEEN_CONFIG", args.length == 3 ? args[2] : args[1].substring(CONFIG.length() + 1));
            }
            io.queenmq.server.Main.serve(environment);
            return;
        }
        if (command.equals("bench")) {
            // The Maven module bench parses the options.
            System.exit(io.queenmq.bench.BenchCommand.run(Arrays.copyOfRange(args, 1, args.length)));
        }
        if (command.equals("verify")) {
            System.exit(io.queenmq.verify.VerifyCommand.run(Arrays.copyOfRange(args, 1, args.length)));
        }
        // The client throws everything that it would log, and Errors prints exceptions in one line.
        System.setProperty("slf4j.internal.verbosity", "ERROR");
        System.setProperty("slf4j.provider", "org.slf4j.helpers.NOP_FallbackServiceProvider");
        System.exit(run(Shell.ofProcess(), args));
    }

    private static boolean isStart(String[] args) {
        return args.length == 1 || args.length == 3 && args[1].equals(CONFIG)
                || args.length == 2 && args[1].startsWith(CONFIG + "=");
    }

    /** Runs the command and returns the exit code. */
    static int run(Shell shell, String... args) {
        QueenCommand root = new QueenCommand(shell);
        try {
            if (args.length == 0) {
                CommandTree.whole(root).usage(shell.out());
                shell.out().flush();
                return ExitCode.OK;
            }
            return CommandTree.enoughFor(args, root).execute(args);
        } finally {
            root.close();
            shell.out().flush();
            shell.err().flush();
        }
    }
}
