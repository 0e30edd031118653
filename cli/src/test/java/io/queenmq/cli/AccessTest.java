package io.queenmq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.cli.CliServer.Ran;
import io.queenmq.testkit.Await;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The choice of the server and the token, on a server with authentication. */
class AccessTest {
    private static final String SECRET = "a secret of the tests, long enough";

    @RegisterExtension
    static final CliServer queen = new CliServer(Map.of("JWT_ENABLED", "true", "JWT_SECRET", SECRET));

    @TempDir
    private Path home;

    @Test
    void withoutATokenTheCodeIsThree() {
        assertThat(run("", Map.of("QUEEN_URL", queen.url()), "queue", "list")).satisfies(ran -> {
            assertThat(ran.code()).isEqualTo(3);
            assertThat(ran.out()).isEmpty();
            assertThat(ran.err()).startsWith("queen: the server requires a token: ").hasLineCount(1);
        });
        assertThat(run("", Map.of("QUEEN_URL", queen.url(), "QUEEN_TOKEN", token("read-only")), "push", "q", "1"))
                .isEqualTo(new Ran(3, "", "queen: the token does not allow this: read-write access is needed\n"));
    }

    @Test
    void readersSeeMaintenanceButCannotChangeIt() {
        Map<String, String> reader = Map.of("QUEEN_URL", queen.url(), "QUEEN_TOKEN", token("read-only"));

        assertThat(run("", reader, "maintenance", "status").ok().out()).contains("open");
        assertThat(run("", reader, "status").ok().out()).contains("pushes", "pops", "open");
        assertThat(run("", reader, "maintenance", "close", "push", "--yes").code()).isEqualTo(3);
    }

    @Test
    void applyNamesTheQueueAndTheOptionThatNeedsAnAdministrator() {
        Map<String, String> producer = Map.of("QUEEN_URL", queen.url(), "QUEEN_TOKEN", token("read-write"));
        String file = "queues:\n  - name: applied\n    options:\n      retentionSeconds: %d\n      leaseTime: %d\n";

        run(file.formatted(60, 10), producer, "apply", "-f", "-").ok();
        run(file.formatted(60, 20), producer, "apply", "-f", "-").ok();
        assertThat(run(file.formatted(1, 20), producer, "apply", "-f", "-")).satisfies(ran -> {
            assertThat(ran.code()).isEqualTo(3);
            assertThat(ran.err()).startsWith("queen: queue \"applied\" exists")
                    .contains("\"retentionSeconds\" from 60 to 1", "admin");
        });
    }

    @Test
    void aKeyIsPrintedOnceListedAndRevoked() {
        Map<String, String> admin = Map.of("QUEEN_URL", queen.url(), "QUEEN_TOKEN", token("admin"));
        String queue = CliServer.newQueue();
        String key = run("", admin, "keys", "create", "robot", "--rights", "push:" + queue, "--rights", "read:" + queue,
                "--expires", "90d").ok().out().strip();
        Map<String, String> robot = Map.of("QUEEN_URL", queen.url(), "QUEEN_TOKEN", key);

        assertThat(key).startsWith("qk_");
        run("", robot, "push", queue, "1").ok();
        assertThat(run("", robot, "pop", queue).code()).isEqualTo(3);
        assertThat(run("", admin, "keys", "list").ok().out()).contains("robot", "push:" + queue + " read:" + queue)
                .doesNotContain(key);
        assertThat(run("", admin, "keys", "create", "nothing").code()).isEqualTo(1);
        assertThat(run("", admin, "keys", "create", "wrong", "--rights", "fly:x").err()).contains("fly");
        assertThat(run("", robot, "keys", "list").code()).isEqualTo(3);
        run("", admin, "keys", "revoke", "robot", "--yes").ok();
        assertThat(run("", robot, "push", queue, "2")).satisfies(ran -> {
            assertThat(ran.code()).isEqualTo(3);
            assertThat(ran.err()).contains("unknown, revoked or expired");
        });
    }

    @Test
    void theTokenOptionOverridesTheEnvironment() {
        Map<String, String> good = Map.of("QUEEN_URL", queen.url(), "QUEEN_TOKEN", token("admin"));

        run("", good, "queue", "list").ok();
        assertThat(run("", good, "queue", "list", "--token", "nonsense").code()).isEqualTo(3);
        run("", Map.of("QUEEN_TOKEN", "nonsense"), "queue", "list", "--url", queen.url(), "--token", token("admin"))
                .ok();
    }

    @Test
    void contextsAreKeptForTheUsersEyesOnly() throws IOException {
        run(token("admin") + "\n", Map.of(), "config", "set", "prod", "--url", queen.url(), "--token-file", "-").ok();
        run("", Map.of(), "config", "set", "other", "--url", "http://127.0.0.1:1").ok();

        Path file = home.resolve("queen/config.json");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file))).isEqualTo("rw-------");
        assertThat(run("", Map.of(), "config", "path").out()).isEqualTo(file + "\n");
        run("", Map.of(), "queue", "list").ok();
        assertThat(run("", Map.of(), "queue", "list", "--context", "other").code()).isEqualTo(2);
        run("", Map.of(), "config", "use", "other").ok();
        assertThat(run("", Map.of(), "queue", "list").code()).isEqualTo(2);
        run("", Map.of(), "--context", "prod", "queue", "list").ok();
        assertThat(run("", Map.of(), "config", "list").out()).contains("prod", "set", "none")
                .doesNotContain(token("admin"));
        assertThat(run("", Map.of(), "queue", "list", "--context", "missing"))
                .isEqualTo(new Ran(1, "", "queen: there is no context 'missing'; there are other, prod\n"));

        assertThat(run("", Map.of(), "config", "delete", "prod").code()).isEqualTo(1);
        run("", Map.of(), "config", "delete", "prod", "--yes").ok();
        assertThat(run("", Map.of(), "config", "use", "prod").code()).isEqualTo(4);
    }

    @Test
    void theTokenOfAContextIsNotSentToAnotherServer() {
        run("", Map.of(), "config", "set", "prod", "--url", "http://127.0.0.1:1", "--token", token("admin")).ok();

        assertThat(run("", Map.of(), "queue", "list", "--url", queen.url()).code()).isEqualTo(3);
        assertThat(run("", Map.of("QUEEN_URL", queen.url()), "queue", "list").code()).isEqualTo(3);
        run("", Map.of(), "config", "set", "prod", "--url", queen.url()).ok();
        assertThat(run("", Map.of(), "queue", "list").code()).isEqualTo(3);
    }

    @Test
    void aRevokedTokenIsRejectedUntilItIsRestored() {
        Map<String, String> admin = Map.of("QUEEN_URL", queen.url(), "QUEEN_TOKEN", token("admin"));
        Map<String, String> stolen = Map.of("QUEEN_URL", queen.url(), "QUEEN_TOKEN",
                token("admin", ",\"jti\":\"stolen\""));
        run("", stolen, "queue", "list").ok();

        assertThat(run("", admin, "tokens", "revoke", "stolen", "--expires", "2100-01-01").ok().out())
                .contains("stolen", "2100-01-01", "ada");
        Await.until(() -> run("", stolen, "queue", "list").code() == 3);
        assertThat(run("", stolen, "queue", "list").err()).contains("the token was revoked");
        String id = run("", admin, "tokens", "revocations").ok().out().lines().filter(line -> line.contains("stolen"))
                .findFirst().orElseThrow().strip().split(" ")[0];
        run("", admin, "tokens", "restore", id).ok();
        Await.until(() -> run("", stolen, "queue", "list").code() == 0);

        assertThat(run("", admin, "tokens", "restore", id).code()).isNotZero();
        assertThat(run("", admin, "tokens", "revoke", "--subject", "eve", "--yes").ok().out()).contains("eve");
        assertThat(run("", admin, "tokens", "revoke").err())
                .contains("tokens are not specified; use TOKEN_ID, --subject or --issued-before");
        assertThat(run("", admin, "tokens", "revoke", "x", "--subject", "eve").code()).isEqualTo(1);
    }

    @Test
    void aMalformedFileIsReported() throws IOException {
        Files.createDirectories(home.resolve("queen"));
        Files.writeString(home.resolve("queen/config.json"), "nonsense");

        assertThat(run("", Map.of(), "status")).satisfies(ran -> {
            assertThat(ran.code()).isEqualTo(1);
            assertThat(ran.err()).startsWith("queen: cannot read ").hasLineCount(1);
        });
    }

    private Ran run(String input, Map<String, String> environment, String... args) {
        Map<String, String> whole = new HashMap<>(environment);
        whole.put("XDG_CONFIG_HOME", home.toString());
        InputStream in = new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8));
        return CliServer.run(in, false, whole, args);
    }

    private static String token(String role) {
        return token(role, "");
    }

    /** @param more claims, each after a comma */
    private static String token(String role, String more) {
        try {
            String signed = part("{\"alg\":\"HS256\",\"typ\":\"JWT\"}") + "."
                    + part("{\"sub\":\"ada\",\"role\":\"" + role + "\",\"exp\":4102444800" + more + "}");
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(SECRET.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            return signed + "." + Base64.getUrlEncoder().withoutPadding()
                    .encodeToString(mac.doFinal(signed.getBytes(StandardCharsets.US_ASCII)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String part(String json) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(json.getBytes(StandardCharsets.UTF_8));
    }
}
