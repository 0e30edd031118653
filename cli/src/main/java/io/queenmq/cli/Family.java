package io.queenmq.cli;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that only has subcommands. */
abstract class Family implements Runnable {
    @Spec
    private CommandSpec spec;

    /** Rejects a call without a subcommand. */
    @Override
    public final void run() {
        throw new ParameterException(spec.commandLine(),
                "a subcommand is missing; use one of " + String.join(", ", spec.subcommands().keySet()) + "?");
    }
}
