package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.queenmq.server.auth.TestTokens;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The audit log contains every change by an operator, with its actor. */
class AuditRouteTest {
    @RegisterExtension
    static final QueenServer server = QueenServer.with(Map.of("JWT_ENABLED", "true", "JWT_SECRET", TestTokens.SECRET));

    private final QueenClient ada = server.client().with(TestTokens.valid("{\"sub\":\"ada\",\"role\":\"admin\"}"));
    private final QueenClient bob = server.client().with(TestTokens.valid("{\"sub\":\"bob\",\"roles\":[\"admin\"]}"));
    private final String queue = server.newQueue();

    @Test
    void theAuditContainsActorAndAction() {
        ada.configure(queue, "{\"retryLimit\":7}");
        bob.configure(queue, "{\"retryLimit\":8}");
        ada.post("/api/v1/resources/queues/" + queue + "/pause", "");
        bob.delete("/api/v1/resources/queues/" + queue);

        List<JsonNode> records = records("?target=queue%20" + queue);

        assertThat(records).extracting(r -> r.get("actor").asText() + " " + r.get("action").asText())
                .containsExactly("bob delete", "ada pause", "bob configure", "ada configure");
        assertThat(records.get(2).get("before").get("retry_limit").asInt()).isEqualTo(7);
        assertThat(records.get(2).get("after").get("retry_limit").asInt()).isEqualTo(8);
        assertThat(records.get(3).get("before").isNull()).isTrue();
        assertThat(records.get(0).get("at").asText()).matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z");
    }

    @Test
    void theAuditContainsMaintenanceAndIsPaged() {
        ada.post("/api/v1/system/maintenance/pop", "{\"enabled\":true}");
        ada.post("/api/v1/system/maintenance/pop", "{\"enabled\":false}");

        JsonNode first = page("?actor=ada&action=maintenance&target=pop&limit=1");
        JsonNode second = page("?actor=ada&action=maintenance&target=pop&limit=1&before="
                + first.get("pagination").get("next").asText());

        assertThat(first.get("records").get(0).get("after").get("enabled").asBoolean()).isFalse();
        assertThat(second.get("records").get(0).get("after").get("enabled").asBoolean()).isTrue();
        assertThat(records("?actor=ada&to=2020-01-01T00:00:00Z")).isEmpty();
        assertThat(records("?actor=ada&from=2020-01-01T00:00:00Z")).isNotEmpty();
    }

    @Test
    void messagesContainTheirProducer() {
        ada.post("/api/v1/push", "{\"items\":[{\"queue\":\"" + queue + "\",\"producerSub\":\"mallory\"}]}");
        bob.transaction(
                "{\"operations\":[{\"type\":\"push\",\"queue\":\"" + queue + "\",\"producerSub\":\"mallory\"}]}");

        assertThat(ada.pop(queue, "batch=10", "partitions=10").messages())
                .extracting(message -> message.get("producerSub").asText()).containsExactly("ada", "bob");
        assertThat(server.select("select producer_sub from queen.message where queue = ? order by \"offset\"", queue))
                .containsExactly("ada", "bob");
    }

    private List<JsonNode> records(String query) {
        List<JsonNode> records = new ArrayList<>();
        page(query).get("records").forEach(records::add);
        return records;
    }

    private JsonNode page(String query) {
        return ada.get("/api/v1/system/audit" + query).json();
    }
}
