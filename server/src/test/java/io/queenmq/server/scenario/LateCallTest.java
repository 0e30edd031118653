package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.server.Server;
import io.queenmq.server.config.ConfigReader;
import io.queenmq.server.harness.InstalledDatabase;
import io.queenmq.testkit.PatientSettings;
import io.queenmq.testkit.TestDatabase;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A call without a response is repeated. If PostgreSQL receives the first call later, it must have no effect. */
class LateCallTest {
    /** The server waits five seconds longer for a response. */
    private static final String STATEMENT_TIMEOUT_MS = "2000";

    @Test
    void aLateLeaseCallLeasesNoPartition() throws Exception {
        try (TestDatabase database = InstalledDatabase.create();
                DelayingProxy network = new DelayingProxy(database.host(), database.port());
                Server server = start(database, network)) {
            QueenClient queen = new QueenClient(server.url());
            queen.push("orders", "a", "1");

            network.hold();
            Answer popped = queen.popPartition("orders", "a");
            assertThat(popped.transactionIds()).containsExactly("1");
            queen.ackAll(popped, "completed");
            queen.push("orders", "a", "2");
            network.release();

            Answer next = queen.popPartition("orders", "a", "wait=true", "timeout=20000");
            assertThat(next.transactionIds()).containsExactly("2");
            assertThat(next.message().get("retryCount").asInt()).isZero();
        }
    }

    private static Server start(TestDatabase database, DelayingProxy network) {
        Map<String, String> variables = new HashMap<>(PatientSettings.ALL);
        variables.putAll(Map.of("PORT", "0", "HOST", "127.0.0.1", "NUM_WORKERS", "1", "PG_HOST", "127.0.0.1", "PG_PORT",
                Integer.toString(network.port()), "PG_DB", database.name(), "PG_USER", database.user(), "PG_PASSWORD",
                database.password(), "DB_STATEMENT_TIMEOUT", STATEMENT_TIMEOUT_MS));
        return Server.start(ConfigReader.read(variables));
    }
}
