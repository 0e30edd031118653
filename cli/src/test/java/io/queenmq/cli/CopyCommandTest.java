package io.queenmq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.queenmq.cli.CliServer.Ran;
import io.queenmq.cli.CliServer.Running;
import io.queenmq.cli.FaultProxy.Fate;
import io.queenmq.testkit.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A copy loses, repeats and reorders nothing, also if it is killed, or if the source or the target fails. */
class CopyCommandTest {
    @RegisterExtension
    static final CliServer source = new CliServer();

    @RegisterExtension
    static final CliServer target = new CliServer();

    private static final int PARTITIONS = 3;
    private static final int MESSAGES = 60;

    private final String queue = CliServer.newQueue();

    @Test
    void messagesAreCopiedWithAllTheirParts() throws SQLException {
        source.run("queue", "configure", queue, "leaseTime=17", "retryLimit=0", "--namespace", "shop").ok();
        source.run("push", queue, "{\"n\":1.50}", "-p", "a", "--transaction-id", "t1", "-H", "kind=order", "--trace-id",
                "00000000-0000-7000-8000-000000000001").ok();
        source.run("push", queue, "2", "-p", "b", "--transaction-id", "t1").ok();

        Ran ran = copy("-o", "json").ok();

        assertThat(ran.json().get(0).get("copied").asInt()).isEqualTo(2);
        JsonNode described = target.run("queue", "describe", queue, "-o", "json").ok().json();
        assertThat(described.at("/options/leaseTime").asInt()).isEqualTo(17);
        assertThat(described.at("/namespace").asText()).isEqualTo("shop");
        JsonNode copied = target.run("pop", queue, "-p", "a", "-g", "g", "-o", "json").ok().json();
        JsonNode message = copied.isArray() ? copied.get(0) : copied;
        assertThat(message.at("/transactionId").asText()).isEqualTo("t1");
        assertThat(message.at("/traceId").asText()).isEqualTo("00000000-0000-7000-8000-000000000001");
        assertThat(message.at("/headers/kind").asText()).isEqualTo("order");
        assertThat(message.at("/data").toString()).isEqualTo("{\"n\":1.5}");
        assertThat(contents(target)).isEqualTo(contents(source));
    }

    @Test
    void aSecondRunCopiesOnlyNewMessages() throws SQLException {
        fill();
        copy().ok();
        source.run("push", queue, "\"new\"", "-p", "a", "--transaction-id", "new").ok();

        JsonNode report = copy("-o", "json").ok().json();

        assertThat(report.get(0).get("copied").asInt()).isEqualTo(1);
        assertThat(report.get(0).get("alreadyStored").asInt()).isZero();
        assertThat(contents(target)).isEqualTo(contents(source));
    }

    @Test
    void allQueuesOfTheSourceAreCopied() throws SQLException {
        fill();

        Ran ran = target.run("copy", "--from", source.url(), "-o", "json", "-g", "all-of-them").ok();

        assertThat(ran.out()).contains('"' + queue + '"');
        assertThat(contents(target)).isEqualTo(contents(source));
    }

    @Test
    void anExistingGroupMovesWhatItHasNotFinished() throws SQLException {
        fill();
        source.run("pop", queue, "-g", "billing", "-p", "a", "-n", "5", "--ack").ok();

        assertThat(copy("-g", "billing", "-o", "json").ok().json().get(0).get("copied").asInt())
                .isEqualTo(MESSAGES - 5);
        assertThat(source.run("pop", queue, "-g", "billing").code()).isEqualTo(ExitCode.NOTHING);
    }

    /** Every message of a queue with retryLimit 0 would become a dead letter on the source if a crash counted as an attempt. */
    @ParameterizedTest
    @CsvSource({"SOURCE, pop, 2", "SOURCE, ack, 1", "SOURCE, ack, 3", "TARGET, push, 1", "TARGET, push, 4"})
    void aKilledCopyContinues(String side, String operation, int request) throws Exception {
        source.run("queue", "configure", queue, "leaseTime=3600", "retryLimit=0").ok();
        fill();
        AtomicReference<Process> running = new AtomicReference<>();
        AtomicInteger requests = new AtomicInteger();
        CliServer faulty = side.equals("SOURCE") ? source : target;
        try (FaultProxy proxy = new FaultProxy(faulty.url(), path -> {
            if (path.contains("/" + operation) && requests.incrementAndGet() == request) {
                Await.until(() -> running.get() != null);
                running.get().destroyForcibly();
                return operation.equals("push") ? Fate.LOSE_RESPONSE : Fate.LOSE_REQUEST;
            }
            return Fate.FORWARD;
        })) {
            running.set(process(faulty == source ? proxy.url() : source.url(),
                    faulty == target ? proxy.url() : target.url()));
            assertThat(running.get().waitFor()).as("killed").isNotZero();
        }
        assertThat(contents(target)).hasSizeLessThanOrEqualTo(MESSAGES);

        JsonNode report = copy("-o", "json").ok().json();

        assertThat(contents(target)).isEqualTo(contents(source));
        if (!operation.equals("pop")) {
            assertThat(report.get(0).get("alreadyStored").asInt()).isPositive();
        }
        assertThat(source.run("dlq", "list", queue, "-o", "json").ok().json()).isEmpty();
    }

    @Test
    void lostRequestsAndResponsesAreRepeated() throws SQLException {
        fill();
        AtomicInteger requests = new AtomicInteger();
        try (FaultProxy from = new FaultProxy(source.url(), path -> fate(path, requests));
                FaultProxy to = new FaultProxy(target.url(), path -> fate(path, requests))) {
            target.run("copy", "--url", to.url(), "--from", from.url(), queue, "-n", "7").ok();
        }
        assertThat(contents(target)).isEqualTo(contents(source));
    }

    private static Fate fate(String path, AtomicInteger requests) {
        if (!path.matches(".*/(pop|push|ack)(/.*)?")) {
            return Fate.FORWARD;
        }
        return switch (requests.incrementAndGet() % 5) {
            case 1 -> path.contains("/pop/") ? Fate.LOSE_REQUEST : Fate.LOSE_RESPONSE;
            case 3 -> Fate.LOSE_REQUEST;
            default -> Fate.FORWARD;
        };
    }

    @Test
    void theCopyWaitsForASourceThatIsDown() throws SQLException {
        fill();
        AtomicBoolean isUp = new AtomicBoolean(true);
        AtomicBoolean isRepaired = new AtomicBoolean();
        try (FaultProxy proxy = new FaultProxy(source.url(), path -> {
            if (path.contains("/ack") && !isRepaired.get()) {
                isUp.set(false);
            }
            return isUp.get() ? Fate.FORWARD : Fate.LOSE_REQUEST;
        })) {
            Running running = target.start("copy", "--from", proxy.url(), queue, "-n", "10");
            Await.until(running::err, () -> running.err().contains("waits: source: "));
            assertThat(contents(target)).isNotEmpty();
            isRepaired.set(true);
            isUp.set(true);
            running.end().join().ok();
        }
        assertThat(contents(target)).isEqualTo(contents(source));
    }

    @Test
    void withoutASourceTheCopyFails() {
        Ran ran = target.run("copy", "--from", "http://127.0.0.1:1", queue, "--retry-for", "100ms");

        assertThat(ran.code()).isEqualTo(ExitCode.SERVER);
        assertThat(ran.err()).contains("127.0.0.1:1");
    }

    @Test
    void theCopyWaitsWhileTheTargetIsFull() throws SQLException {
        fill();
        target.run("queue", "configure", queue, "maxSize=7").ok();
        Running running = target.start("copy", "--from", source.url(), queue);
        Await.until(running::err, () -> running.err().contains("waits: target: "));
        assertThat(contents(target)).hasSizeLessThanOrEqualTo(7);

        target.run("queue", "configure", queue, "maxSize=0").ok();

        assertThat(running.end().join().ok().out()).contains(queue);
        assertThat(contents(target)).isEqualTo(contents(source));
    }

    @Test
    void aFullTargetFailsTheCopyInTheEnd() throws SQLException {
        fill();
        target.run("queue", "configure", queue, "maxSize=7").ok();

        Ran ran = copy("--retry-for", "300ms");

        assertThat(ran.code()).isEqualTo(ExitCode.SERVER);
        assertThat(ran.err()).contains("target: ").contains("run the command again to continue");
        target.run("queue", "configure", queue, "maxSize=0").ok();
        copy().ok();
        assertThat(contents(target)).isEqualTo(contents(source));
    }

    @Test
    void withFollowNewMessagesAreCopied() throws Exception {
        fill();
        Process process = process(source.url(), target.url(), "--follow");
        try {
            Await.until(() -> count(target) == MESSAGES);
            source.run("push", queue, "\"new\"", "-p", "b", "--transaction-id", "new").ok();
            Await.until(() -> count(target) == MESSAGES + 1);
        } finally {
            process.destroy();
        }
        process.waitFor();
        assertThat(contents(target)).isEqualTo(contents(source));
    }

    @Test
    void wrongServersAreRejected() {
        assertThat(target.run("copy", "--from", target.url()).err()).contains("the source and the target are both");
        assertThat(target.run("copy", "--from", source.url(), "no-such-queue").err())
                .contains("the source has no queue no-such-queue");
    }

    private void fill() {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < MESSAGES; i++) {
            lines.append("{\"p\":\"").append((char) ('a' + i % PARTITIONS)).append("\",\"i\":").append(i).append("}\n");
        }
        source.runWithInput(lines.toString(), "push", queue, "--partition-key", "p", "--transaction-key", "i").ok();
    }

    private Ran copy(String... options) {
        List<String> words = new ArrayList<>(List.of("copy", "--from", source.url(), queue));
        words.addAll(List.of(options));
        return target.run(words.toArray(String[]::new));
    }

    private Process process(String from, String to, String... options) throws IOException {
        List<String> words = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"), "io.queenmq.cli.Main", "copy",
                "--url", to, "--from", from, queue, "-n", "10"));
        words.addAll(List.of(options));
        return new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private int count(CliServer server) {
        try {
            return contents(server).size();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns partition, offset, transactionId and payload of all messages, in order. */
    private List<String> contents(CliServer server) throws SQLException {
        List<String> messages = new ArrayList<>();
        try (Connection connection = server.database().connect();
                PreparedStatement statement = connection.prepareStatement(
                        "select partition, \"offset\", transaction_id, data from queen.message where queue = ?"
                                + " order by partition, \"offset\"")) {
            statement.setString(1, queue);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    messages.add(rows.getString(1) + " " + rows.getLong(2) + " " + rows.getString(3) + " "
                            + rows.getString(4));
                }
            }
        }
        return messages;
    }
}
