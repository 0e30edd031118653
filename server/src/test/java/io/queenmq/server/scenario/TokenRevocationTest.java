package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.queenmq.server.auth.TestTokens;
import io.queenmq.testkit.Await;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tokens that are revoked on one server are rejected by all; rejections and revocations are in the audit log. */
class TokenRevocationTest {
    private static final String REVOCATIONS = "/api/v1/system/revocations";
    private static final String IDENTITY = "/api/v1/identity";

    @RegisterExtension
    static final QueenServer server = QueenServer.with(Map.of("JWT_ENABLED", "true", "JWT_SECRET", TestTokens.SECRET));

    private static QueenClient otherServer;

    @BeforeAll
    static void startAnother() {
        otherServer = server.startAnother();
    }

    private final QueenClient admin = server.client().with(token("\"sub\":\"ada\",\"role\":\"admin\""));

    @Test
    void aTokenIsRejectedByAllServersAndAcceptedAgain() {
        String stolen = token("\"sub\":\"bob\",\"role\":\"read-only\",\"jti\":\"stolen\"");
        List<QueenClient> clients = List.of(server.client().with(stolen), otherServer.with(stolen));
        clients.forEach(client -> assertThat(client.get(IDENTITY).status()).isEqualTo(200));

        Answer revoked = admin.post(REVOCATIONS, "{\"tokenId\":\"stolen\"}");

        assertThat(revoked.status()).isEqualTo(200);
        clients.forEach(client -> Await.until(() -> client.get(IDENTITY).status() == 401));
        assertThat(clients.getLast().get(IDENTITY).body()).contains("the token was revoked");
        String id = revoked.json().get("id").asText();
        assertThat(admin.get(REVOCATIONS).json().get("revocations").findValuesAsText("id")).contains(id);

        assertThat(admin.delete(REVOCATIONS + "/" + id).status()).isEqualTo(200);
        clients.forEach(client -> Await.until(() -> client.get(IDENTITY).status() == 200));
        assertThat(admin.delete(REVOCATIONS + "/" + id).status()).isEqualTo(404);
        assertThat(admin.delete(REVOCATIONS + "/x").status()).isEqualTo(400);
        assertThat(records("?target=tokens")).extracting(each -> each.get("actor").asText() + " "
                + each.get("action").asText() + " " + each.get("address").asText())
                .contains("ada restore 127.0.0.1", "ada revoke 127.0.0.1");
    }

    @Test
    void tokensOfASubjectAreRejectedByTheirIssueTimeAlsoAfterARestart() {
        long now = Instant.now().getEpochSecond();
        String claims = "\"sub\":\"carl\",\"role\":\"read-only\",\"iat\":";
        QueenClient old = otherServer.with(token(claims + (now - 100)));
        QueenClient young = otherServer.with(token(claims + (now - 10)));
        assertThat(old.get(IDENTITY).status()).isEqualTo(200);

        admin.post(REVOCATIONS, "{\"subject\":\"carl\",\"issuedBefore\":\"" + Instant.ofEpochSecond(now - 50) + "\"}");

        Await.until(() -> old.get(IDENTITY).status() == 401);
        assertThat(young.get(IDENTITY).status()).isEqualTo(200);
        QueenClient third = server.startAnother();
        assertThat(third.with(token(claims + (now - 100))).get(IDENTITY).status()).isEqualTo(401);
        assertThat(third.with(token(claims + (now - 10))).get(IDENTITY).status()).isEqualTo(200);
        server.stopLast();
    }

    @Test
    void rejectedOperatorActionsAreInTheAuditWithTheirAddress() {
        QueenClient reader = server.client().with(token("\"sub\":\"eve\",\"role\":\"read-only\""));
        for (int i = 0; i < 5; i++) {
            assertThat(reader.delete("/api/v1/resources/queues/orders").status()).isEqualTo(403);
        }
        assertThat(server.client().post("/api/v1/system/maintenance", "{\"enabled\":true}").status()).isEqualTo(401);

        Await.until(() -> records("?action=rejected&actor=eve").size() == 1
                && records("?action=rejected&actor=anonymous").size() == 1);
        JsonNode denied = records("?action=rejected&actor=eve").getFirst();
        assertThat(denied.get("target").asText()).isEqualTo("DELETE /api/v1/resources/queues/:queue");
        assertThat(denied.get("address").asText()).isEqualTo("127.0.0.1");
        assertThat(denied.get("after").get("reason").asText()).isEqualTo("forbidden");
        assertThat(denied.get("after").get("path").asText()).isEqualTo("/api/v1/resources/queues/orders");
        assertThat(denied.get("after").get("count").asInt()).isBetween(1, 5);
        assertThat(records("?action=rejected&actor=anonymous").getFirst().get("target").asText())
                .isEqualTo("POST /api/v1/system/maintenance");
    }

    @Test
    void acceptedActionsCarryTheAddress() {
        admin.post("/api/v1/system/maintenance/pop", "{\"enabled\":false}");

        assertThat(records("?action=maintenance&target=pop").getFirst().get("address").asText()).isEqualTo("127.0.0.1");
    }

    private List<JsonNode> records(String query) {
        List<JsonNode> records = new ArrayList<>();
        admin.get("/api/v1/system/audit" + query).json().get("records").forEach(records::add);
        return records;
    }

    private static String token(String claims) {
        return TestTokens.valid("{" + claims + "}");
    }
}
