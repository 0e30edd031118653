package io.queenmq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.queenmq.testkit.Await;
import java.sql.Connection;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.LoggerFactory;

/** Rates of queues, completion of names, and log levels. */
class ServerCommandsTest {
    @RegisterExtension
    static final CliServer queen = new CliServer(
            Map.of("METRICS_REPORT_INTERVAL_MS", "100", "STATS_INTERVAL_MS", "100"));

    private final String queue = CliServer.newQueue();

    @BeforeEach
    void push() {
        queen.runWithInput("{\"i\":1,\"l\":\"a\"}\n{\"i\":2,\"l\":\"b\"}\n", "push", queue, "--partition-key", "l")
                .ok();
    }

    @Test
    void aQueueListContainsDeadLettersConsumersAndRates() throws Exception {
        String popped = queen.run("pop", queue, "-p", "b", "-g", "g", "-o", "ndjson").ok().out();
        queen.runWithInput(popped, "ack", "--file", "-", "--status", "dlq").ok();
        queen.run("pop", queue, "-p", "a", "-g", "g").ok();
        try (Connection connection = queen.database().connect(); Statement statement = connection.createStatement()) {
            statement.execute("insert into queen.queue_bucket select id, 1, date_bin('1 minute', now(), 'epoch')"
                    + " + d * interval '1 minute', gen_random_uuid(), 1, 120, 0, 0, 0, 1, 60, 0, 0, 0, 0, 0, 0, 0"
                    + " from queen.queue, generate_series(-1, 5) d where name = '" + queue + "'");
        }

        Await.until("servers have reported", () -> {
            JsonNode listed = queen.run("queue", "list", "--search", queue, "-o", "json").ok().json().get(0);
            return listed.get("deadLetters").asInt() == 1 && listed.get("consumers").asInt() == 1
                    && listed.get("pushedPerSecond").asDouble() >= 2 && listed.get("ackedPerSecond").asDouble() >= 1;
        });
    }

    @Test
    void completionListsQueuesAndGroups() {
        queen.run("pop", queue, "-g", "group of " + queue).ok();

        assertThat(queen.run("__complete", "--", "pop", queue.substring(0, queue.length() - 1)).ok().lines())
                .contains(queue);
        assertThat(queen.run("__complete", "--", "pop", queue, "-g", "group of").ok().lines())
                .contains("group of " + queue);
    }

    @Test
    void logLevelsAreChangedAtRunTime() {
        assertThat(queen.run("log-level").ok().out()).contains("ROOT");
        String logger = "io.queenmq.of." + queue;
        assertThat(queen.run("log-level", "debug", "--logger", logger, "-o", "json").ok().json())
                .anySatisfy(each -> assertThat(each.get("logger").asText() + each.get("level").asText())
                        .isEqualTo(logger + "debug"));
        assertThat(LoggerFactory.getLogger(logger + ".Child").isDebugEnabled()).isTrue();
        assertThat(queen.run("log-level", "inherit", "--logger", logger).ok().out()).doesNotContain(logger);
        assertThat(queen.run("log-level", "loud")).satisfies(ran -> {
            assertThat(ran.code()).isEqualTo(1);
            assertThat(ran.err()).contains("trace, debug, info");
        });
    }
}
