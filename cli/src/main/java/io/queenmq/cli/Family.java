package io.queenmq.cli;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Commands that have a first word in common. */
abstract class Family implements Runnable {
    @Spec
    private CommandSpec spec;

    /** Only the first word was given. */
    @Override
    public final void run() {
        throw new ParameterException(spec.commandLine(),
                "which of " + String.join(", ", spec.subcommands().keySet()) + "?");
    }
}
