package io.queenmq.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.system.BrokenProxy.Defect;
import io.queenmq.verify.VerifyCommand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs {@code queen verify} against the packaged server, with faults, and against servers that violate a guarantee. */
class VerifyTest {
    private static final List<String> PROGRAM = List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1", "-Xmx256m", "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow", "-jar",
            Path.of("../cli/target/queen.jar").toAbsolutePath().toString(), "serve");

    @TempDir
    private Path folder;

    @Test
    void guaranteesHoldWithThreeKindsOfFaults() {
        assertThat(verify("--seconds", "45", "--rate", "100", "--seed", "7", "--faults",
                "server-kill,connections-cut,responses-lost")).isEqualTo(VerifyCommand.HELD);

        assertThat(report()).contains("guarantees held", "| server-kill | ", "| connections-cut | ",
                "| responses-lost | ");
        assertThat(folder.resolve("report.html")).content().contains("<svg", "Guarantees held");
    }

    /** All faults, for half an hour. */
    @Tag("nightly")
    @Test
    void guaranteesHoldWithAllFaults() {
        assertThat(verify("--seconds", "1800", "--servers", "3", "--shards", "2", "--partitions", "10000", "--faults",
                "all")).as(this::report).isEqualTo(VerifyCommand.HELD);
    }

    /** Each run has queues of its own, so the runs share one server. */
    @Test
    void brokenServersAreDetected() throws Exception {
        Map<Defect, String> checks = Map.of(Defect.LOSS, "loss", Defect.REORDER, "order", Defect.DOUBLE_LEASE,
                "lease-holder", Defect.TORN_TRANSACTION, "torn-transaction", Defect.PHANTOM, "phantom");
        Map<Defect, Future<Integer>> codes = new EnumMap<>(Defect.class);
        try (QueenProcess queen = QueenProcess.start(Map.of("QUEEN_DATA", QueenProcess.DATA.toString()));
                ExecutorService runs = Executors.newCachedThreadPool()) {
            for (Defect defect : Defect.values()) {
                codes.put(defect, runs.submit(() -> {
                    try (BrokenProxy broken = new BrokenProxy(URI.create(queen.url()), defect)) {
                        return verify(folder.resolve(defect.name()), "--seconds", "6", "--rate", "80", "--seed", "7",
                                "--partitions", "200", "--url", broken.url());
                    }
                }));
            }
        }
        for (Defect defect : Defect.values()) {
            assertThat(codes.get(defect).get()).as("%s", defect).isEqualTo(VerifyCommand.VIOLATED);
            assertThat(report(folder.resolve(defect.name()))).as("%s", defect)
                    .contains("### " + checks.get(defect) + "\n");
        }
    }

    @Test
    void anUnreachableServerIsNotAViolation() {
        assertThat(verify("--seconds", "1", "--url", "http://127.0.0.1:9")).isEqualTo(VerifyCommand.NOT_RUN);
    }

    @Test
    void wrongOptionsAreRejected() {
        assertThat(verify("--seconds", "soon")).isEqualTo(VerifyCommand.NOT_RUN);
        assertThat(verify("--faults", "earthquake")).isEqualTo(VerifyCommand.NOT_RUN);
        assertThat(verify("--url", "http://127.0.0.1:9", "--faults", "all")).isEqualTo(VerifyCommand.NOT_RUN);
    }

    private int verify(String... options) {
        return verify(folder, options);
    }

    private static int verify(Path report, String... options) {
        List<String> all = new ArrayList<>(List.of(options));
        all.addAll(List.of("--report", report.toString()));
        return VerifyCommand.run(PROGRAM, all.toArray(String[]::new));
    }

    private String report() {
        return report(folder);
    }

    private static String report(Path report) {
        try {
            return Files.readString(report.resolve("report.md"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
