package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a running server tells of its operations. */
class MetricsTest {
    @RegisterExtension
    static final QueenServer server = QueenServer.withDefaults();

    private final QueenClient queen = server.client();
    private final String queue = server.newQueue();

    @Test
    void everyOperationTellsWhatItDidAndWhatItsCallsCost() {
        // What is pushed stays in memory for those who pop here.
        queen.pop(queue);
        queen.push(queue, "a", "1", "2");
        Answer popped = queen.pop(queue, "batch=2");
        queen.ackAll(popped, "completed");

        JsonNode metrics = queen.get("/metrics").json();

        assertThat(metrics.at("/operations/push/items").asInt()).isGreaterThanOrEqualTo(2);
        assertThat(metrics.at("/operations/pop/count").asInt()).isPositive();
        assertThat(metrics.at("/operations/ack/items").asInt()).isGreaterThanOrEqualTo(2);
        for (String call : new String[]{"push", "lease", "ack"}) {
            assertThat(metrics.at("/calls/" + call + "/count").asInt()).as(call).isPositive();
            assertThat(metrics.at("/calls/" + call + "/errors").asInt()).as(call).isZero();
            assertThat(metrics.at("/calls/" + call + "/meanMs").asDouble()).as(call).isPositive();
            assertThat(metrics.at("/calls/" + call + "/meanSize").asDouble()).as(call).isPositive();
            assertThat(metrics.at("/calls/" + call + "/inFlight").isNumber()).as(call).isTrue();
        }
        assertThat(metrics.at("/database/poolSize").asInt()).isPositive();
        assertThat(metrics.at("/gauges/queen.pop.ready").isNumber()).isTrue();
        assertThat(metrics.at("/gauges/queen.segment.cache.hits").asInt()).isPositive();
    }
}
