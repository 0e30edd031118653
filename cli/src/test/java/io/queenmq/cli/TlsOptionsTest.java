package io.queenmq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.cli.CliServer.Ran;
import io.queenmq.testkit.CertificateAuthority;
import io.queenmq.testkit.CertificateAuthority.Issued;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** HTTPS with a private authority and a client certificate, from options, the environment and contexts. */
class TlsOptionsTest {
    private static final Path FOLDER = folder();
    private static final CertificateAuthority OURS = CertificateAuthority.create(FOLDER, "ours");
    private static final Issued SERVER = OURS.issue("server", "dns:localhost");
    private static final Issued ALICE = OURS.issue("alice");
    private static final String CA = OURS.certificate().toString();
    private static final String CERT = ALICE.certificate().toString();
    private static final String KEY = ALICE.key().toString();

    @RegisterExtension
    static final CliServer queen = new CliServer(Map.of("TLS_CERT", SERVER.certificate().toString(), "TLS_KEY",
            SERVER.key().toString(), "TLS_CLIENT_CA", CA));

    @TempDir
    private Path home;

    @Test
    void optionsNameTheFiles() {
        run(Map.of(), "queue", "list", "--url", queen.url(), "--ca-file", CA, "--cert", CERT, "--key", KEY).ok();
        assertThat(run(Map.of(), "queue", "list", "--url", queen.url(), "--cert", CERT, "--key", KEY))
                .satisfies(ran -> {
                    assertThat(ran.code()).isEqualTo(2);
                    assertThat(ran.err()).contains("TLS handshake failed").hasLineCount(1);
                });
        assertThat(run(Map.of(), "queue", "list", "--url", queen.url(), "--ca-file", CA).code()).isEqualTo(2);
    }

    @Test
    void theEnvironmentNamesTheFiles() {
        run(Map.of("QUEEN_URL", queen.url(), "QUEEN_CA_FILE", CA, "QUEEN_CERT_FILE", CERT, "QUEEN_KEY_FILE", KEY),
                "queue", "list").ok();
    }

    @Test
    void aContextKeepsThemForItsServer() throws IOException {
        run(Map.of(), "config", "set", "prod", "--url", queen.url(), "--ca-file", CA, "--cert", CERT, "--key", KEY)
                .ok();

        run(Map.of(), "queue", "list").ok();
        assertThat(Files.readString(home.resolve("queen/config.json"))).contains(CA, CERT, KEY);
        assertThat(run(Map.of(), "config", "list", "-o", "wide").ok().out()).contains(CA, CERT).doesNotContain(KEY);
        // Another change keeps the settings. They are not sent to another server.
        run(Map.of(), "config", "set", "prod", "--token", "x").ok();
        run(Map.of(), "queue", "list").ok();
        assertThat(run(Map.of(), "queue", "list", "--url", queen.url()).code()).isEqualTo(2);
        run(Map.of(), "config", "set", "prod", "--url", "https://127.0.0.1:1").ok();
        assertThat(Files.readString(home.resolve("queen/config.json"))).doesNotContain(CERT);
    }

    @Test
    void filesThatCannotBeUsedAreNamed() throws IOException {
        Path empty = Files.writeString(home.resolve("empty.pem"), "nonsense");
        String url = queen.url();

        assertThat(run(Map.of(), "queue", "list", "--url", url, "--cert", CERT))
                .isEqualTo(new Ran(1, "", "queen: --cert and --key must be given together\n"));
        assertThat(run(Map.of(), "queue", "list", "--url", url, "--ca-file", "nowhere.pem"))
                .isEqualTo(new Ran(1, "", "queen: cannot read nowhere.pem: NoSuchFileException\n"));
        assertThat(run(Map.of(), "queue", "list", "--url", url, "--ca-file", empty.toString()))
                .isEqualTo(new Ran(1, "", "queen: no PEM certificate in " + empty + "\n"));
        assertThat(run(Map.of(), "queue", "list", "--url", url, "--cert", CERT, "--key", empty.toString()).err())
                .contains("in PKCS #8 format (BEGIN PRIVATE KEY) in " + empty);
        assertThat(run(Map.of(), "config", "set", "prod", "--url", url, "--ca-file", empty.toString()).code())
                .isEqualTo(1);
        assertThat(home.resolve("queen/config.json")).doesNotExist();
    }

    private Ran run(Map<String, String> environment, String... args) {
        Map<String, String> whole = new HashMap<>(environment);
        whole.put("XDG_CONFIG_HOME", home.toString());
        return CliServer.run(InputStream.nullInputStream(), false, whole, args);
    }

    private static Path folder() {
        try {
            return Files.createTempDirectory("queen-tls");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
