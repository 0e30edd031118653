package io.queenmq.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OidcConfigTest {
    private static final String ISSUER = "https://login.example/realms/shop";

    @Test
    void withoutAnIssuerNothingChanges() {
        ServerConfig config = ConfigReader.read(Map.of());

        assertThat(config.http().oidc()).isNull();
        assertThat(config.access().auth()).isNull();
    }

    @Test
    void anIssuerImpliesTheSettingsOfItsTokens() {
        ServerConfig config = read();

        assertThat(config.http().oidc().discoveryUrl())
                .isEqualTo(URI.create(ISSUER + "/.well-known/openid-configuration"));
        assertThat(config.http().oidc().scopes()).isEqualTo("openid");
        assertThat(config.access().auth().claims().issuer()).isEqualTo(ISSUER);
        assertThat(config.access().auth().claims().audience()).isEqualTo("dashboard");
        assertThat(config.access().auth().keys().jwksUrl()).isEqualTo(config.http().oidc().discoveryUrl());
        assertThat(config.http().exposure().isOpen()).as("requests need tokens").isFalse();
        assertThat(config.operations().logging().warnings()).isEmpty();
    }

    @Test
    void accessTokensAreForTheirAudience() {
        ServerConfig config = read("OIDC_AUDIENCE", "queen-api", "OIDC_SCOPES", " openid, profile offline_access ");

        assertThat(config.http().oidc().audience()).isEqualTo("queen-api");
        assertThat(config.http().oidc().scopes()).isEqualTo("openid profile offline_access");
        assertThat(config.access().auth().claims().audience()).isEqualTo("queen-api");
    }

    @Test
    void anExplicitAddressOfKeysTakesPrecedence() {
        assertThat(read("JWT_JWKS_URL", "https://keys.example/jwks").access().auth().keys().jwksUrl())
                .isEqualTo(URI.create("https://keys.example/jwks"));
    }

    @Test
    void aSlashAtTheEndOfTheIssuerIsPartOfItAndNotDoubled() {
        ServerConfig config = read("OIDC_ISSUER", "https://login.example/");

        assertThat(config.access().auth().claims().issuer()).isEqualTo("https://login.example/");
        assertThat(config.access().auth().keys().jwksUrl())
                .isEqualTo(URI.create("https://login.example/.well-known/openid-configuration"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://127.0.0.1:8080", "http://localhost/realm", "http://[::1]:8080",
        "https://a.example:8443"})
    void anIssuerIsHttpsOrLocal(String issuer) {
        assertThat(read("OIDC_ISSUER", issuer).http().oidc().issuer()).isEqualTo(issuer);
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://login.example", "login.example", "https://", "ftp://login.example", "https://a b",
        "https://user:pass@login.example", "https://login.example?x=1", "https://login.example#x",
        "http://127.0.0.1.example"})
    void otherValuesAreNotAnIssuer(String issuer) {
        assertThatThrownBy(() -> read("OIDC_ISSUER", issuer)).isInstanceOf(ConfigException.class)
                .hasMessageContaining("OIDC_ISSUER must be an address such as https://login.example");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            OIDC_CLIENT_ID | ''                      | OIDC_CLIENT_ID must be given
            OIDC_ISSUER    | ''                      | OIDC_ISSUER must be given
            OIDC_SCOPES    | profile                 | OIDC_SCOPES must contain openid
            JWT_ENABLED    | false                   | JWT_ENABLED must not be false
            JWT_ALGORITHM  | HS256                   | JWT_ALGORITHM must not be HS256
            JWT_PUBLIC_KEY | x                       | JWT_PUBLIC_KEY must not be given
            JWT_ISSUER     | https://other.example   | JWT_ISSUER must be https://login.example/realms/shop
            JWT_AUDIENCE   | other                   | JWT_AUDIENCE must be dashboard
            """)
    void settingsWithWhichNoLoginCanWorkStopTheStart(String name, String value, String problem) {
        assertThatThrownBy(() -> read(name, value)).isInstanceOf(ConfigException.class).hasMessageContaining(problem);
    }

    private static ServerConfig read(String... more) {
        Map<String, String> variables = new HashMap<>(Map.of("OIDC_ISSUER", ISSUER, "OIDC_CLIENT_ID", "dashboard"));
        for (int i = 0; i < more.length; i += 2) {
            variables.put(more[i], more[i + 1]);
        }
        return ConfigReader.read(variables);
    }
}
