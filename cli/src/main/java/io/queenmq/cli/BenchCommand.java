package io.queenmq.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/** {@code queen bench} for help and completion. The Maven module bench parses its options. */
@Command(name = "bench", description = "Measure the throughput and latency of a server. See queen bench --help.")
final class BenchCommand implements Callable<Integer> {
    @Unmatched
    private List<String> args = new ArrayList<>();

    @Override
    public Integer call() {
        return io.queenmq.bench.BenchCommand.run(args.toArray(String[]::new));
    }
}
