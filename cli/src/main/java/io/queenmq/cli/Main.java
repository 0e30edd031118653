package io.queenmq.cli;

import java.util.Arrays;

/** The command line of Queen. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        String command = args.length == 0 ? "" : args[0];
        if (command.equals("serve") && args.length == 1) {
            io.queenmq.server.Main.serve();
            return;
        }
        if (command.equals("bench")) {
            // It knows its options itself.
            System.exit(io.queenmq.bench.BenchCommand.run(Arrays.copyOfRange(args, 1, args.length)));
        }
        // What the client would log it also throws, and what it throws is told in one line.
        System.setProperty("slf4j.internal.verbosity", "ERROR");
        System.setProperty("slf4j.provider", "org.slf4j.helpers.NOP_FallbackServiceProvider");
        System.exit(run(Shell.ofProcess(), args));
    }

    /** Does what the arguments say; answers the exit code. */
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
