package io.queenmq.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** The command {@code queen bench}. Must be called at most once per process. */
public final class BenchCommand {
    private static final int SUCCEEDED = 0;
    private static final int FAILED = 1;
    private static final int MISUSED = 2;

    /** A stored message that is not delivered within this time counts as lost. */
    private static final Duration DELIVERY_TIMEOUT = Duration.ofSeconds(15);

    private final BenchOptions options;
    private final Progress progress = Progress.toUser();
    private final String runId = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt());

    private BenchCommand(BenchOptions options) {
        this.options = options;
    }

    /** Runs the command with the arguments after its name and returns the exit code. */
    public static int run(String... args) {
        try {
            if (List.of(args).contains(PlanOptions.OPTION) && !List.of(args).contains("--help")) {
                System.out.print(PlanOptions.parse(args).text());
                return SUCCEEDED;
            }
            BenchOptions options = BenchOptions.parse(
                    List.of(args).stream().filter(each -> !each.equals(PlanOptions.OPTION)).toArray(String[]::new));
            if (options.isHelp()) {
                System.out.print(BenchOptions.USAGE + PlanOptions.USAGE);
                return SUCCEEDED;
            }
            return new BenchCommand(options).run();
        } catch (BadArguments e) {
            System.err.println("queen bench: " + e.getMessage() + ". See queen bench --help.");
            return MISUSED;
        } catch (BenchAbortedException e) {
            System.err.println("queen bench: " + e.getMessage());
            return FAILED;
        }
    }

    private int run() {
        Instant started = Instant.now();
        try (Target target = openTarget(); Control control = new Control(target.url())) {
            String version = control.version();
            List<ScenarioResult> results = new ArrayList<>();
            for (Scenario scenario : options.scenarios()) {
                results.add(run(scenario, target, control));
                if (target.isEnding()) {
                    return FAILED;
                }
            }
            progress.end();
            show(results, target);
            BenchReport report = new BenchReport(started, target.url(), target.isOwn(), version,
                    target.postgresVersion(), target.disk(), Machine.current(), options, results);
            write(report);
            return results.stream().allMatch(result -> result.errors() == 0) ? SUCCEEDED : FAILED;
        } finally {
            progress.end();
        }
    }

    private Target openTarget() {
        if (options.url() != null) {
            return Target.running(options.url(), options.consumerUrl(), System.getenv());
        }
        progress.event("starting a server");
        return Target.start(Path.of("").toAbsolutePath());
    }

    private ScenarioResult run(Scenario scenario, Target target, Control control) {
        QueueNames queues = new QueueNames("bench-" + runId + "-" + scenario.name() + "-", scenario.load().queues());
        ScenarioResult result = new ScenarioRun(scenario, target, queues, progress, DELIVERY_TIMEOUT)
                .run(Duration.ofSeconds(options.warmup()), Duration.ofSeconds(options.seconds()));
        progress.update(scenario.name() + ": cleaning up");
        try {
            queues.all().forEach(control::deleteQueue);
            target.cleanUp();
            return result;
        } catch (BenchAbortedException e) {
            return result.withError(e.getMessage());
        }
    }

    private static void show(List<ScenarioResult> results, Target target) {
        System.out.print(ResultTable.of(results));
        for (ScenarioResult result : results) {
            for (String error : result.firstErrors()) {
                System.out.println(result.scenario().name() + ": " + error);
            }
        }
        if (results.stream().anyMatch(result -> result.errors() > 0) && !target.serverOutput().isEmpty()) {
            System.out.println("Last output of the server:\n" + target.serverOutput());
        }
    }

    private void write(BenchReport report) {
        try {
            report.writeTo(options.json());
        } catch (IOException e) {
            throw new BenchAbortedException("cannot write " + options.json() + ": " + e.getMessage(), e);
        }
        System.out.println("Also in " + options.json());
    }
}
