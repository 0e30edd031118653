package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import io.queenmq.server.Server;
import io.queenmq.server.auth.KeyServer;
import io.queenmq.server.auth.TestTokens;
import io.queenmq.server.config.ConfigException;
import io.queenmq.server.config.ConfigReader;
import io.queenmq.server.config.ServerConfig;
import io.queenmq.server.harness.InstalledDatabase;
import io.queenmq.testkit.Await;
import io.queenmq.testkit.TestDatabase;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Logs, responses and errors never contain secrets, at any log level. */
class NoSecretsTest {
    private static final String KEY = "00112233445566778899aabbccddeeff".repeat(2);
    private static final String OLD_KEY = "ffeeddccbbaa99887766554433221100".repeat(2);
    private static final String SECRET = "the-secret-that-tokens-are-signed-with";
    private static final String SYNC_SECRET = "what servers prove themselves with";
    private static final String PAYLOAD = "what-is-in-an-encrypted-message";

    private final Collection<String> log = new ConcurrentLinkedQueue<>();
    private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private final Level before = root.getLevel();
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            log.add(event.getFormattedMessage() + ThrowableProxyUtil.asString(event.getThrowableProxy()));
        }
    };

    @BeforeEach
    void captureLog() {
        appender.setContext(root.getLoggerContext());
        appender.start();
        root.addAppender(appender);
        root.setLevel(Level.DEBUG);
    }

    @AfterEach
    void stopCapture() {
        root.setLevel(before);
        root.detachAppender(appender);
    }

    @Test
    void aServerAtLevelTraceLogsNoSecrets() {
        String token = TestTokens.rs256(TestTokens.expiring("{\"sub\":\"ada\",\"role\":\"admin\"}"), "known",
                TestTokens.RSA.getPrivate());
        String forged = TestTokens.rs256(TestTokens.expiring("{\"role\":\"admin\"}"), "unknown",
                TestTokens.RSA.getPrivate());
        List<String> answers = new ArrayList<>();
        ServerConfig config;
        try (KeyServer keys = new KeyServer(); TestDatabase database = InstalledDatabase.create()) {
            keys.keys = List.of(TestTokens.jwk("known", TestTokens.RSA.getPublic()));
            Map<String, String> variables = new HashMap<>(Map.of("PORT", "0", "HOST", "127.0.0.1", "PG_HOST",
                    database.host(), "PG_PORT", Integer.toString(database.port()), "PG_DB", database.name(), "PG_USER",
                    database.user(), "PG_PASSWORD", database.password(), "SPOOL_ENABLED", "false"));
            variables.putAll(Map.of("JWT_ENABLED", "true", "JWT_ALGORITHM", "auto", "JWT_SECRET", SECRET,
                    "JWT_JWKS_URL", keys.url() + "?code=hidden-in-the-address", "QUEEN_ENCRYPTION_KEY", KEY,
                    "QUEEN_ENCRYPTION_OLD_KEYS", OLD_KEY, "JWT_JWKS_REFRESH_INTERVAL", "1", "QUEEN_SYNC_SECRET",
                    SYNC_SECRET));
            config = ConfigReader.read(variables);
            try (Server server = Server.start(config)) {
                QueenClient client = new QueenClient(server.url());
                QueenClient ada = client.with(token);
                ada.configure("q", "{\"encryptionEnabled\":true}");
                answers.add(ada.post("/api/v1/push", "{\"items\":[{\"queue\":\"q\",\"payload\":\"" + PAYLOAD + "\"}]}")
                        .body());
                answers.add(client.with(forged).get("/api/v1/system/audit").body());
                answers.add(client.with(token + "x").pop("q").body());
                answers.add(ada.get("/api/v1/system/audit").body());
                answers.add(ada.post("/api/v1/push", "{\"items\":[{\"queue\":\"q\",\"payload\":" + PAYLOAD).body());
                keys.status = 500;
                Await.until(() -> log.stream().anyMatch(line -> line.contains("cannot be fetched")));
            }
            assertThat(String.join("\n", answers) + String.join("\n", log) + config).contains("127.0.0.1")
                    .doesNotContain(KEY, OLD_KEY, SECRET, SYNC_SECRET, PAYLOAD, token, forged, "hidden-in-the-address")
                    .doesNotContain("password=" + database.password());
        }
        assertThat(log).isNotEmpty();
    }

    @Test
    void invalidSettingsAreNamedButNotQuoted() {
        Map<String, String> variables = Map.of("QUEEN_ENCRYPTION_KEY", KEY + "0", "QUEEN_ENCRYPTION_OLD_KEYS",
                OLD_KEY + ",zz" + OLD_KEY.substring(2), "JWT_ENABLED", "true", "JWT_ALGORITHM", "RS256",
                "JWT_PUBLIC_KEY", SECRET, "JWT_ROLE_ADMIN", "read-only");
        try {
            ConfigReader.read(variables);
        } catch (ConfigException e) {
            assertThat(e.problems()).hasSize(4);
            assertThat(e.getMessage()).contains("QUEEN_ENCRYPTION_KEY must be 64",
                    "each key of QUEEN_ENCRYPTION_OLD_KEYS", "JWT_PUBLIC_KEY must be a PEM text", "must differ")
                    .doesNotContain(KEY, OLD_KEY, SECRET);
            return;
        }
        throw new AssertionError("the server started with invalid settings");
    }
}
