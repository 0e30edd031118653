package io.queenmq.verify;

import com.fasterxml.jackson.databind.JsonNode;
import io.queenmq.verify.check.Checker;
import io.queenmq.verify.check.Findings;
import io.queenmq.verify.cluster.Cluster;
import io.queenmq.verify.cluster.SetupException;
import io.queenmq.verify.fault.Fault;
import io.queenmq.verify.fault.FaultPlan;
import io.queenmq.verify.history.History;
import io.queenmq.verify.history.HistoryReader;
import io.queenmq.verify.load.Plan;
import io.queenmq.verify.load.Targets;
import io.queenmq.verify.load.Workload;
import io.queenmq.verify.report.HtmlReport;
import io.queenmq.verify.report.MarkdownReport;
import io.queenmq.verify.report.RunResult;
import io.queenmq.verify.report.Timeline;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** One run: servers, load, faults, checks and the report. */
final class VerifyRun {
    private static final Duration DRAINED_WITHIN = Duration.ofMinutes(3);
    private static final int EVIDENCE_LINES = 12;
    private static final int NAMES = 36 * 36 * 36;

    private final VerifyOptions options;
    private final Instant started = Instant.now();
    private final List<String> skipped = new ArrayList<>();

    VerifyRun(VerifyOptions options) {
        this.options = options;
    }

    RunResult execute() {
        Path given = options.history();
        createReportDirectory();
        Path history = given == null ? options.report().resolve("history.jsonl") : given;
        if (given == null) {
            record(history);
        }
        progress("checking the history");
        Timeline timeline = new Timeline();
        Findings findings = Checker.check(history, timeline::read);
        RunResult result = new RunResult(options.command(), started, options.seed(), options.servers(),
                options.shards(), options.seconds(), Checker.guarantees(), findings, evidence(history, findings),
                timeline, skipped);
        write("report.md", MarkdownReport.write(result));
        write("report.html", HtmlReport.write(result));
        show(result);
        return result;
    }

    private void createReportDirectory() {
        try {
            Files.createDirectories(options.report());
        } catch (IOException e) {
            throw new SetupException("the directory " + options.report() + " cannot be created", e);
        }
    }

    private void record(Path path) {
        if (!options.urls().isEmpty()) {
            try (History history = new History(path)) {
                load(new Targets(options.urls(), System.getenv("QUEEN_TOKEN"), null), history, null, List.of());
            }
            return;
        }
        progress("starting PostgreSQL and " + options.servers() + " servers");
        List<Fault> faults = available();
        try (Cluster cluster = Cluster.start(temporaryDirectory(), options.program(), options.servers(),
                options.shards(), options.report().toAbsolutePath(), options.releases(), new Preparations(faults))) {
            try (History history = new History(path)) {
                load(new Targets(cluster.urls(), null, cluster.database()::connect), history, cluster, faults);
            }
        }
    }

    private static Path temporaryDirectory() {
        try {
            return Files.createTempDirectory(Path.of("").toAbsolutePath(), "queen-verify-");
        } catch (IOException e) {
            throw new SetupException("a directory cannot be created below the current one", e);
        }
    }

    /** @param cluster null if the servers are not our own */
    private void load(Targets targets, History history, @Nullable Cluster cluster, List<Fault> faults) {
        Plan plan = new Plan(options.seed(), options.rate(), options.partitions(),
                "verify-" + Long.toString(started.toEpochMilli(), 36)
                        + Integer.toString(ThreadLocalRandom.current().nextInt(NAMES), 36) + "-",
                new AtomicLong());
        try (Workload workload = new Workload(plan, targets, history)) {
            String error = workload.prepare();
            if (!error.isEmpty()) {
                throw new SetupException(error);
            }
            if (cluster != null) {
                Resources.record(cluster, history, "begin");
            }
            progress("load for " + options.seconds() + " s, seed " + options.seed());
            workload.start();
            long untilNs = System.nanoTime() + options.seconds() * 1_000_000_000L;
            if (cluster != null) {
                new FaultPlan(cluster, history, faults, options.seed(), this::progress).run(untilNs);
            }
            Thread.sleep(Math.max(0, (untilNs - System.nanoTime()) / 1_000_000));
            progress("producers end, consumers receive the rest");
            workload.stopProducing();
            workload.drain(DRAINED_WITHIN);
            progress("reading all messages");
            workload.audit();
            if (cluster != null) {
                Resources.record(cluster, history, "end");
            }
            workload.deleteQueues();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SetupException("interrupted", e);
        }
    }

    private List<Fault> available() {
        List<Fault> faults = new ArrayList<>();
        for (Fault fault : options.faults()) {
            fault.unavailable().ifPresentOrElse(reason -> {
                skipped.add(fault.name() + ": " + reason);
                progress("skipping " + fault.name() + ": " + reason);
            }, () -> faults.add(fault));
        }
        return faults;
    }

    private static List<List<String>> evidence(Path history, Findings findings) {
        List<Findings.Violation> kept = findings.kept();
        List<List<String>> evidence = new ArrayList<>();
        kept.forEach(_ -> evidence.add(new ArrayList<>()));
        if (!kept.isEmpty()) {
            HistoryReader.read(history, line -> {
                for (int i = 0; i < kept.size(); i++) {
                    if (evidence.get(i).size() < EVIDENCE_LINES && kept.get(i).isEvidence().test(line)) {
                        evidence.get(i).add(shortened(line));
                    }
                }
            });
        }
        return evidence;
    }

    private static String shortened(JsonNode line) {
        String text = line.toString();
        return text.length() <= 2_000 ? text : text.substring(0, 2_000) + " …";
    }

    private void write(String name, String text) {
        try {
            Files.writeString(options.report().resolve(name), text);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + options.report().resolve(name), e);
        }
    }

    private void progress(String text) {
        System.out.printf("%5d s  %s%n", Duration.between(started, Instant.now()).toSeconds(), text);
    }

    private void show(RunResult result) {
        Timeline timeline = result.timeline();
        System.out.printf("%d requests, %d messages pushed, %d deliveries, %d faults%n", timeline.lines(),
                timeline.pushed(), timeline.delivered(), timeline.faults().size());
        result.findings().counts().forEach((check, count) -> System.out.printf("violated: %s (%d)%n", check, count));
        result.findings().kept().stream().limit(10).forEach(each -> System.out.println("  " + each.text()));
        System.out.println(result.isHeld() ? "guarantees held" : "guarantees violated");
        System.out.println("report: " + options.report().resolve("report.html"));
    }
}
