package io.queenmq.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/** {@code queen bench}, as it is known to help and completion; it reads its options itself. */
@Command(name = "bench", description = "Measure a server; queen bench --help tells more.")
final class BenchCommand implements Callable<Integer> {
    @Unmatched
    private List<String> args = new ArrayList<>();

    @Override
    public Integer call() {
        return io.queenmq.bench.BenchCommand.run(args.toArray(String[]::new));
    }
}
