package io.queenmq.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/** {@code queen verify} for help and completion. The command parses its options itself. */
@Command(name = "verify", description = "Verify the guarantees of servers under load and faults; see queen verify --help.")
final class VerifyCommand implements Callable<Integer> {
    @Unmatched
    private List<String> args = new ArrayList<>();

    @Override
    public Integer call() {
        return io.queenmq.verify.VerifyCommand.run(args.toArray(String[]::new));
    }
}
