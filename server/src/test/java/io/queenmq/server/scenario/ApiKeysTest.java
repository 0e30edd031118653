package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.queenmq.server.StartException;
import io.queenmq.server.auth.ApiKey;
import io.queenmq.server.auth.TestTokens;
import io.queenmq.testkit.Await;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The life cycle of API keys, on one server and on several. */
class ApiKeysTest {
    @RegisterExtension
    static final QueenServer server = QueenServer.with(Map.of("JWT_ENABLED", "true", "JWT_SECRET", TestTokens.SECRET));

    private final QueenClient admin = server.client().with(TestTokens.valid("{\"sub\":\"ada\",\"role\":\"admin\"}"));
    private final String queue = server.newQueue();

    private Answer create(QueenClient creator, String name, String more) {
        return creator.post("/api/v1/keys", "{\"name\":\"" + name + "\"," + more + "}");
    }

    private String created(String name, String more) {
        Answer answer = create(admin, name, more);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(201);
        return answer.json().get("key").asText();
    }

    private JsonNode listed(String name) {
        for (JsonNode key : admin.get("/api/v1/keys").json().get("keys")) {
            if (key.get("name").asText().equals(name)) {
                return key;
            }
        }
        throw new AssertionError("not listed: " + name);
    }

    @Test
    void aKeyGrantsItsRightsImmediatelyAfterItsCreation() {
        String key = created("producer", "\"rights\":[\"push:" + queue + "\"]");

        assertThat(key).matches("qk_[0-9a-f]{16}_[A-Za-z0-9_-]{43}");
        QueenClient producer = server.client().with(key);
        assertThat(producer.push(queue, "p", "1").status()).isEqualTo(201);
        assertThat(producer.pop(queue).status()).isEqualTo(403);
        assertThat(producer.get("/api/v1/keys").status()).isEqualTo(403);
        assertThat(admin.pop(queue).message().get("producerSub").asText()).isEqualTo("key:producer");
    }

    @Test
    void tablesListsAndAuditNeverContainTheSecret() {
        String key = created("hidden", "\"role\":\"read-only\"");
        String secret = key.substring(key.lastIndexOf('_', key.length() - 43) + 1);

        assertThat(admin.get("/api/v1/keys").body()).contains("\"hidden\"").doesNotContain(secret);
        assertThat(admin.get("/api/v1/system/audit?target=key%20hidden").body()).contains("create_key")
                .doesNotContain(secret);
        assertThat(server.select("select k::text from queen.api_key k where k.name = 'hidden'").getFirst())
                .doesNotContain(secret);
        assertThat(server.select("select encode(sha256(convert_to(?, 'UTF8')), 'hex')", secret))
                .isEqualTo(server.select("select encode(secret_hash, 'hex') from queen.api_key where name = 'hidden'"));
    }

    @Test
    void aRevokedKeyIsRejectedByAllServers() {
        String key = created("leaked", "\"rights\":[\"*:" + queue + "\"]");
        QueenClient here = server.client().with(key);
        QueenClient there = server.startAnother().with(key);
        assertThat(here.push(queue, "p", "1").status()).isEqualTo(201);
        Await.until(() -> there.push(queue, "p", "2").status() == 201);

        Answer revoked = admin.delete("/api/v1/keys/leaked");

        assertThat(revoked.json().get("revokedBy").asText()).isEqualTo("ada");
        assertThat(here.push(queue, "p", "3").status()).isEqualTo(401);
        Await.until(() -> there.push(queue, "p", "4").status() == 401);
        assertThat(there.push(queue, "p", "5").body()).contains("unknown, revoked or expired");
        assertThat(admin.delete("/api/v1/keys/leaked").status()).isEqualTo(404);
        assertThat(admin.get("/api/v1/system/audit?target=key%20leaked").body()).contains("revoke_key");
    }

    @Test
    void aWaitingPopGetsNoMessageAfterItsKeyIsRevoked() {
        QueenClient consumer = server.client().with(created("waiting", "\"rights\":[\"pop:" + queue + "\"]"));
        CompletableFuture<Answer> waiting = consumer.popLater(queue, "wait=true", "timeout=60000");
        Await.until(() -> !server.select(
                "select 1 from queen.presence p cross join lateral"
                        + " unnest(p.queue_names, p.waiting) as u (name, waiting) where u.name = ? and u.waiting > 0",
                queue).isEmpty());

        admin.delete("/api/v1/keys/waiting");
        admin.push(queue, "p", "1");

        assertThat(waiting.join().isEmpty()).isTrue();
        assertThat(admin.pop(queue).transactionIds()).containsExactly("1");
    }

    @Test
    void aNameCanBeReusedAfterItsKeyIsRevokedAndTheOldKeyStaysRevoked() {
        String first = created("again", "\"role\":\"read-only\"");
        assertThat(create(admin, "again", "\"role\":\"read-only\"").status()).isEqualTo(400);
        admin.delete("/api/v1/keys/again");

        String second = created("again", "\"role\":\"read-only\"");

        assertThat(server.client().with(second).get("/api/v1/identity").status()).isEqualTo(200);
        assertThat(server.client().with(first).get("/api/v1/identity").status()).isEqualTo(401);
    }

    @Test
    void aKeyIsRejectedAfterItsExpiry() {
        String soon = Instant.now().plusMillis(1_500).toString();
        QueenClient guest = server.client().with(created("guest", "\"role\":\"admin\",\"expiresAt\":\"" + soon + "\""));
        assertThat(guest.get("/api/v1/identity").status()).isIn(200, 401);

        Await.until(() -> guest.get("/api/v1/identity").status() == 401);

        assertThat(create(admin, "late", "\"role\":\"admin\",\"expiresAt\":\"2020-01-01T00:00:00Z\"").status())
                .isEqualTo(400);
    }

    @Test
    void aKeyCannotHaveMoreRightsThanItsCreator() {
        QueenClient limited = server.client()
                .with(TestTokens.valid("{\"sub\":\"eve\",\"role\":\"admin\",\"queen_rights\":[\"push,read:shop/*\"]}"));
        assertThat(create(limited, "e1", "\"role\":\"admin\"").status()).isEqualTo(403);
        assertThat(create(limited, "e2", "\"rights\":[\"push:*\"]").status()).isEqualTo(403);
        assertThat(create(limited, "e3", "\"rights\":[\"pop:shop/a\"]").status()).isEqualTo(403);
        assertThat(create(limited, "e4", "\"rights\":[\"push:shop/a\",\"*:shop/b\"]").status()).isEqualTo(403);
        assertThat(create(limited, "e5", "\"rights\":[\"push:shop/a*\",\"read:shop/*\"]").status()).isEqualTo(201);
        QueenClient writer = server.client().with(TestTokens.valid("{\"role\":\"read-write\"}"));
        assertThat(create(writer, "e6", "\"rights\":[\"push:a\"]").status()).isEqualTo(403);
        QueenClient everything = server.client().with(TestTokens.valid("{\"queen_rights\":[\"*:*\"]}"));
        assertThat(create(everything, "e7", "\"rights\":[\"push:a\"]").status()).isEqualTo(403);
    }

    @Test
    void aMalformedKeyRequestIsRejectedWithTheReason() {
        for (String body : List.of("{}", "{\"name\":\"x\"}", "{\"name\":\"x/y\",\"role\":\"admin\"}",
                "{\"name\":\"..\",\"role\":\"admin\"}", "{\"name\":\"x\\ny\",\"role\":\"admin\"}",
                "{\"name\":\"x\",\"role\":\"king\"}", "{\"name\":\"x\",\"rights\":[\"push\"]}",
                "{\"name\":\"x\",\"rights\":7}", "{\"name\":\"x\",\"rights\":[7]}",
                "{\"name\":\"x\",\"role\":\"admin\",\"expiresAt\":\"soon\"}")) {
            assertThat(admin.post("/api/v1/keys", body).status()).as(body).isEqualTo(400);
        }
    }

    @Test
    void textsThatResembleKeysAreRejected() {
        String key = created("real", "\"role\":\"admin\"");
        for (String text : List.of("qk_", "qk_x", key + "A", key.substring(0, key.length() - 1), key.toUpperCase(),
                "qk_%s_%s".formatted("0".repeat(16), "A".repeat(43)), key.substring(0, 20) + "A".repeat(43))) {
            assertThat(server.client().with(text).get("/api/v1/identity").status()).as(text).isEqualTo(401);
        }
        assertThat(server.client().with(key).get("/api/v1/identity").json().get("role").asText()).isEqualTo("admin");
    }

    @Test
    void theLastUseIsStoredInTheBackground() {
        QueenClient another = server.startAnother().with(created("used", "\"role\":\"read-only\""));
        assertThat(listed("used").get("lastUsedAt").isNull()).isTrue();
        Await.until(() -> another.get("/api/v1/identity").status() == 200);

        // A server stores pending last uses when it stops.
        server.stopLast();

        Await.until(() -> !listed("used").get("lastUsedAt").isNull());
    }

    @Test
    void theFirstKeyIsReadFromAFile(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("admin.key");
        Map<String, String> keysOnly = Map.of("API_KEYS_ENABLED", "true", "API_KEYS_BOOTSTRAP_FILE", file.toString());
        List<String> admins = new ArrayList<>();
        admin.get("/api/v1/keys").json().get("keys").forEach(key -> {
            if (key.get("role").asText().equals("admin") && key.get("revokedAt").isNull()) {
                admins.add(key.get("name").asText());
            }
        });
        admins.forEach(name -> admin.delete("/api/v1/keys/" + name));

        QueenClient started = server.startAnother(keysOnly);
        String key = Files.readString(file).strip();

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file))).isEqualTo("rw-------");
        assertThat(started.get("/api/v1/identity").status()).isEqualTo(401);
        assertThat(started.with(TestTokens.valid("{\"role\":\"admin\"}")).get("/api/v1/identity").status())
                .isEqualTo(401);
        assertThat(started.with(key).get("/api/v1/keys").status()).isEqualTo(200);
        // A second server with the same file uses the same key; one with another file needs none.
        assertThat(server.startAnother(keysOnly).with(key).get("/api/v1/keys").status()).isEqualTo(200);
        Path unused = folder.resolve("unused.key");
        server.startAnother(Map.of("API_KEYS_ENABLED", "true", "API_KEYS_BOOTSTRAP_FILE", unused.toString()));
        assertThat(unused).doesNotExist();

        admin.delete("/api/v1/keys/bootstrap");
        QueenClient afterRevocation = server.startAnother(keysOnly);
        assertThat(afterRevocation.with(key).get("/api/v1/keys").status()).isEqualTo(401);
        // As after a crash between writing the file and storing the key, or with a mounted secret.
        Path mounted = folder.resolve("mounted.key");
        String given = ApiKey.Text.create(new SecureRandom()).whole();
        Files.writeString(mounted, given + "\n");
        QueenClient another = server
                .startAnother(Map.of("API_KEYS_ENABLED", "true", "API_KEYS_BOOTSTRAP_FILE", mounted.toString()));
        assertThat(another.with(given).get("/api/v1/keys").status()).isEqualTo(200);
        Files.writeString(unused, "no key");
        assertThatThrownBy(() -> server
                .startAnother(Map.of("API_KEYS_ENABLED", "true", "API_KEYS_BOOTSTRAP_FILE", unused.toString())))
                .isInstanceOf(StartException.class).hasMessageContaining("unused.key");
    }

    @Test
    void apiKeysCanBeDisabledWhenTokensAreEnabled() {
        String key = created("off", "\"role\":\"admin\"");
        QueenClient tokensOnly = server.startAnother(
                Map.of("JWT_ENABLED", "true", "JWT_SECRET", TestTokens.SECRET, "API_KEYS_ENABLED", "false"));
        assertThat(tokensOnly.with(key).get("/api/v1/identity").status()).isEqualTo(401);
    }
}
