package io.queenmq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.queenmq.testkit.Await;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** {@code queen keys} and {@code queen keys encryption}. */
class KeysCommandTest {
    @RegisterExtension
    static final CliServer queen = new CliServer(
            Map.of("QUEEN_ENCRYPTION_KEY", "0123456789abcdef".repeat(4), "QUEEN_ENCRYPTION_OLD_KEYS",
                    "fedcba9876543210".repeat(4), "KEY_SWEEP_INTERVAL", "50", "METRICS_REPORT_INTERVAL_MS", "100"));

    @Test
    void eachKeyIsShownWithItsMessages() throws InterruptedException {
        String queue = CliServer.newQueue();
        queen.runWithInput("1\n2\n", "push", queue).ok();
        queen.run("queue", "configure", queue, "encryptionEnabled=true").ok();
        queen.runWithInput("3\n", "push", queue).ok();
        Await.until("the messages are counted", () -> rowsOf(queue, "1") && rowsOf(queue, "2"));
        Await.until("the server has reported its keys", KeysCommandTest::isCurrentKeyKnown);

        JsonNode rows = queen.run("keys", "-o", "json").ok().json();

        assertThat(rows).isEqualTo(queen.run("keys", "encryption", "-o", "json").ok().json());
        assertThat(rows).filteredOn(row -> row.get("queue").asText().equals("(all)")).hasSize(3);
        assertThat(rows).filteredOn(row -> row.get("current").asBoolean()).singleElement()
                .satisfies(row -> assertThat(row.get("messages").asInt()).isOne());
        assertThat(queen.run("keys", "encryption").ok().out()).contains("KEY", "UNCHECKED", "(clear text)", queue);
    }

    private static boolean isCurrentKeyKnown() {
        for (JsonNode row : queen.run("keys", "encryption", "-o", "json").ok().json()) {
            if (row.get("current").asBoolean()) {
                return true;
            }
        }
        return false;
    }

    private static boolean rowsOf(String queue, String messages) {
        for (JsonNode row : queen.run("keys", "encryption", "-o", "json").ok().json()) {
            if (row.get("queue").asText().equals(queue) && row.get("messages").asText().equals(messages)) {
                return true;
            }
        }
        return false;
    }
}
