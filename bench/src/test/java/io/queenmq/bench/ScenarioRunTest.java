package io.queenmq.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every scenario against a correct server, and against servers with one defect. */
class ScenarioRunTest {
    private static final Duration LENGTH = Duration.ofMillis(300);
    private static final Duration LONG_ENOUGH_FOR_MESSAGES = Duration.ofSeconds(1);

    /** Every partition gets one push before the measurement. Requests in progress at its end are still answered. */
    private static final int FIRST_MEASURED_PUSH = 20;
    /** Longer than a busy machine pauses, so that no response within this time counts as late. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    /** Runs against a server that loses a message. */
    private static final Duration NO_PATIENCE = Duration.ofSeconds(1);

    private final FakeServer server = new FakeServer();

    static List<Scenario> scenarios() {
        return Scenario.QUICK;
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void aCorrectServerHasResultsAndNoErrors(Scenario scenario) {
        ScenarioResult result = run(scenario, LENGTH);
        // Responses after the end are not counted. On a slow machine that may be all of them.
        for (int times = 2; result.messages() == 0 && times < 256; times *= 2) {
            result = run(scenario, LENGTH.multipliedBy(times));
        }

        assertThat(result.firstErrors()).isEmpty();
        assertThat(result.errors()).isZero();
        assertThat(result.messages()).isPositive();
        assertThat(result.messagesPerSecond()).isPositive();
        assertThat(result.requestsPerSecond()).isPositive();
        assertThat(result.p50Ms()).isLessThanOrEqualTo(result.p99Ms());
        assertThat(result.commitsPerMessage()).as("no PostgreSQL is known").isNaN();
        assertThat(result.postgresCpuMicros()).isNaN();
    }

    @Test
    void requestsBeforeTheMeasurementAreNotCounted() {
        ScenarioResult result = run(scenario("d"), Duration.ofMillis(600), Duration.ZERO);

        assertThat(server.count("/ack/")).isPositive();
        assertThat(result.messages()).isZero();
        assertThat(result.messagesPerSecond()).isNaN();
        assertThat(result.errors()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"d", "e"})
    void messagesInTheWrongOrderAreFound(String name) {
        server.spoil("/pop/", 3, FakeServer.Answer::swapped);

        ScenarioResult result = run(scenario(name), LENGTH);

        assertThat(result.errors()).isPositive();
        assertThat(result.firstErrors().getFirst())
                .matches("partition \\d+: message \\d+ was delivered instead of \\d+");
    }

    @ParameterizedTest
    @ValueSource(strings = {"d", "e", "f", "g2", "h"})
    void aMessageThatIsLostIsFound(String name) {
        server.spoil("/pop/", 0, FakeServer.Answer::withoutFirst);

        ScenarioResult result = run(server, scenario(name), Duration.ZERO, LONG_ENOUGH_FOR_MESSAGES, NO_PATIENCE);

        assertThat(result.firstErrors()).isNotEmpty();
    }

    @Test
    void aBatchThatIsShortIsAnError() {
        server.spoil("/pop/", 2, FakeServer.Answer::shortened);

        assertThat(run(scenario("d"), LENGTH).firstErrors())
                .anyMatch(error -> error.startsWith("pop: 99 messages where 100 were due from partition "));
    }

    @Test
    void aPushThatIsNotStoredIsAnError() {
        server.spoil("/push", FIRST_MEASURED_PUSH,
                answer -> new FakeServer.Answer(201, answer.body().replaceFirst("queued", "duplicate")));

        ScenarioResult result = run(scenario("b"), LENGTH);

        assertThat(result.errors()).isEqualTo(1);
        assertThat(result.firstErrors().getFirst()).startsWith("push: 9 of 10 were stored: status 201, [{");
    }

    @Test
    void anAckThatIsRefusedIsAnError() {
        server.spoil("/ack/", 0, answer -> new FakeServer.Answer(200, answer.body().replaceFirst("true", "false")));

        // A message that was not accepted is not delivered, and the run does not wait for it.
        assertThat(run(server, scenario("g2"), Duration.ZERO, LENGTH, NO_PATIENCE).firstErrors())
                .anyMatch(error -> error.matches("ack: \\d+ of \\d+ were accepted: .*"));
    }

    @Test
    void aStatusThatIsNotExpectedIsAnError() {
        server.spoil("/push", FIRST_MEASURED_PUSH, _ -> new FakeServer.Answer(503, "{\"error\":\"too many\"}"));

        ScenarioResult result = run(scenario("a"), LONG_ENOUGH_FOR_MESSAGES);

        assertThat(result.errors()).isEqualTo(1);
        assertThat(result.firstErrors()).containsExactly("push: status 503, {\"error\":\"too many\"}");
        assertThat(result.messages()).as("the others count").isPositive();
    }

    @Test
    void aServerThatHangsUpBreaksTheScenarioOff() {
        server.spoil("/push", FIRST_MEASURED_PUSH, _ -> null);

        ScenarioResult result = run(scenario("a"), LENGTH);

        assertThat(result.errors()).isEqualTo(1);
        assertThat(result.firstErrors())
                .containsExactly("the server closed a connection while a request was under way");
    }

    @Test
    void partitionsThatCannotBeFilledBreakTheScenarioOff() {
        server.spoil("/push", 1, _ -> new FakeServer.Answer(500, "{\"error\":\"no\"}"));

        assertThat(run(scenario("e"), LENGTH).firstErrors()).containsExactly("push: status 500, {\"error\":\"no\"}",
                "the partitions could not be filled");
    }

    private ScenarioResult run(Scenario scenario, Duration length) {
        return run(scenario, Duration.ZERO, length);
    }

    private ScenarioResult run(Scenario scenario, Duration warmup, Duration length) {
        return run(server, scenario, warmup, length, PATIENCE);
    }

    private static ScenarioResult run(FakeServer server, Scenario scenario, Duration warmup, Duration length,
            Duration patience) {
        Progress progress = new Progress(new PrintStream(new ByteArrayOutputStream()), false);
        try (Target target = Target.running(URI.create(server.url()), null, Map.of())) {
            QueueNames queues = new QueueNames("bench-" + System.nanoTime() + "-", scenario.load().queues());
            return new ScenarioRun(scenario, target, queues, progress, patience).run(warmup, length);
        }
    }

    private static Scenario scenario(String name) {
        return Scenario.QUICK.stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
    }
}
