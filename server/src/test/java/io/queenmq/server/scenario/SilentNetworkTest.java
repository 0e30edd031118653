package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.server.Server;
import io.queenmq.server.config.ConfigReader;
import io.queenmq.server.harness.InstalledDatabase;
import io.queenmq.testkit.TestDatabase;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** All connections between a server and PostgreSQL become silent at the same time; new ones work. */
@DisplayName("connections that go silent are replaced")
class SilentNetworkTest {
    @Test
    void allRequestsSucceedOverNewConnections() throws Exception {
        try (TestDatabase database = InstalledDatabase.create();
                DelayingProxy network = new DelayingProxy(database.host(), database.port());
                Server server = start(database, network)) {
            QueenClient queen = new QueenClient(server.url());
            queen.push("orders", "a", "before");

            network.hold();

            assertThat(queen.push("orders", "a", "1").list().getFirst().get("status").asText()).isEqualTo("queued");
            Answer popped = queen.popPartition("orders", "a", "batch=10", "wait=true", "timeout=60000");
            assertThat(popped.transactionIds()).containsExactly("before", "1");
            queen.ackAll(popped, "completed");
            assertThat(queen.get("/health").status()).isEqualTo(200);
        }
    }

    private static Server start(TestDatabase database, DelayingProxy network) {
        Map<String, String> variables = new HashMap<>(Map.of("PORT", "0", "HOST", "127.0.0.1", "NUM_WORKERS", "1",
                "PG_HOST", "127.0.0.1", "PG_PORT", Integer.toString(network.port()), "PG_DB", database.name(),
                "PG_USER", database.user(), "PG_PASSWORD", database.password(), "DB_CONNECTION_TIMEOUT", "30000"));
        // Long enough that a push is not rejected before the silence of the connections is detected.
        variables.put("DB_UNAVAILABLE_AFTER_MS", "60000");
        variables.put("SPOOL_ENABLED", "false");
        return Server.start(ConfigReader.read(variables));
    }
}
