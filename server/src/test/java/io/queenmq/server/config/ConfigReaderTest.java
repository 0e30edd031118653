package io.queenmq.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queenmq.engine.config.ClusterConfig;
import io.queenmq.engine.config.ClusterConfig.Peer;
import io.queenmq.engine.config.EngineConfig;
import io.queenmq.schema.CitusUse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigReaderTest {
    private static final Path PAGE = Path.of("../docs/reference/configuration.md");

    @Test
    void anEmptyEnvironmentSelectsTheDefaults() {
        ServerConfig config = ConfigReader.read(Map.of(), new DescriptorLimit(1_048_576));

        assertThat(config.http().exposure())
                .isEqualTo(new ExposureConfig("127.0.0.1", false, true, List.of(), List.of()));
        assertThat(config.http().port()).isEqualTo(6632);
        assertThat(config.http().loops()).isBetween(1, 4);
        long anEighthOfTheHeap = Runtime.getRuntime().maxMemory() / 8;
        Duration halfAMinute = Duration.ofSeconds(30);
        assertThat(config.http().limits()).isEqualTo(new HttpConfig.Limits(64 * 1024 * 1024, anEighthOfTheHeap,
                Duration.ofSeconds(10), halfAMinute, halfAMinute, halfAMinute,
                new HttpConfig.ConnectionLimits(20_000, 10_000, Duration.ofMinutes(1))));
        assertThat(config.operations().logging().level()).isEqualTo(LogLevel.INFO);
        assertThat(config.operations().logging().isJson()).isFalse();
        assertThat(config.storage().data()).isEqualTo(Path.of("./queen-data"));
        assertThat(config.storage().isEmbedded()).isTrue();
        assertThat(config.storage().database()).isEqualTo(new DatabaseConfig(null, 5432, "postgres", "postgres",
                "postgres", PostgresTls.OFF,
                new DatabaseConfig.Timeouts(Duration.ofSeconds(2), Duration.ofSeconds(30), Duration.ofSeconds(10))));
        int halfTheCores = Math.clamp(Runtime.getRuntime().availableProcessors() / 2, 1, 4);
        assertThat(config.http().loops()).isEqualTo(halfTheCores);
        assertThat(config.engine())
                .isEqualTo(new EngineConfig(500, Duration.ZERO, halfTheCores, 20_000, Duration.ofSeconds(5),
                        Duration.ofHours(1), 100_000, 4_000_000, 33_554_432, 8_388_608, anEighthOfTheHeap, 20_000,
                        new EngineConfig.PopWait(Duration.ofMillis(100), 3, 2.0, Duration.ofSeconds(1))));
        assertThat(config.pop()).isEqualTo(new PopConfig(Duration.ofSeconds(30), 1, ""));
        assertThat(config.operations().upkeep())
                .isEqualTo(new UpkeepConfig(new UpkeepConfig.Removal(Duration.ofMinutes(5), 1_000),
                        new UpkeepConfig.Removal(Duration.ofMinutes(1), 1_000), new UpkeepConfig.DaysKept(30, 90, 365),
                        Duration.ofMinutes(1), true));
        assertThat(config.operations().shutdownGrace()).isEqualTo(Duration.ofSeconds(10));
        assertThat(config.operations().logging().warnings()).isEmpty();
    }

    @Test
    void theConnectionLimitStaysBelowTheDescriptorLimit() {
        assertThat(connections(1_024, Map.of()).max()).isEqualTo(768);
        assertThat(connections(4_096, Map.of()).max()).isEqualTo(3_072);
        assertThat(connections(4_096, Map.of()).perAddressMax()).isEqualTo(1_536);
        assertThat(connections(20_000, Map.of()).max()).isEqualTo(18_976);
        assertThat(connections(1_048_576, Map.of()).max()).isEqualTo(20_000);
        assertThat(connections(1_048_576, Map.of("MAX_CONNECTIONS", "50000")).max()).isEqualTo(50_000);
        assertThat(connections(1_048_576, Map.of("HTTP_MAX_CONNECTIONS", "7", "HTTP_MAX_CONNECTIONS_PER_ADDRESS", "9")))
                .isEqualTo(new HttpConfig.ConnectionLimits(7, 9, Duration.ofMinutes(1)));
        assertThatThrownBy(() -> connections(4_096, Map.of("HTTP_MAX_CONNECTIONS", "3073")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(
                        "HTTP_MAX_CONNECTIONS is 3073, but this process may open only 4096 files, of which "
                                + "1024 are reserved")
                .hasMessageContaining("set at most 3072");
        assertThatThrownBy(() -> connections(500, Map.of())).isInstanceOf(ConfigException.class)
                .hasMessageContaining("this process may open only 500 files, but a server needs 512");
    }

    private static HttpConfig.ConnectionLimits connections(long descriptors, Map<String, String> variables) {
        return ConfigReader.read(variables, new DescriptorLimit(descriptors)).http().limits().connections();
    }

    @Test
    void withoutTokensOnlyAnExplicitHostOpensThePort() {
        Map<String, String> tokens = Map.of("JWT_ENABLED", "true", "JWT_SECRET", "0123456789abcdef0123456789abcdef");
        assertThat(ConfigReader.read(tokens).http().exposure())
                .isEqualTo(new ExposureConfig("0.0.0.0", false, false, List.of(), List.of()));
        assertThat(ConfigReader.read(tokens).operations().logging().warnings()).isEmpty();

        ServerConfig open = ConfigReader.read(Map.of("HOST", "0.0.0.0"));
        assertThat(open.http().exposure().isOpen()).isTrue();
        assertThat(open.operations().logging().warnings()).containsExactly(ExposureConfig.OPEN_WARNING);

        for (String loopback : List.of("127.0.0.1", "127.1.2.3", "localhost", "::1")) {
            assertThat(ConfigReader.read(Map.of("HOST", loopback)).http().exposure().isOpen()).isFalse();
        }
    }

    @Test
    void invalidOriginsAreReported() {
        assertThatThrownBy(() -> ConfigReader.read(Map.of("CORS_ORIGINS", "https://ok.example,app.example")))
                .isInstanceOf(ConfigException.class).hasMessageContaining("'app.example' is none");
    }

    @Test
    void emptyValuesCountAsUnset() {
        assertThat(ConfigReader.read(Map.of("PG_HOST", "", "PORT", " ", "LOG_LEVEL", "")))
                .isEqualTo(ConfigReader.read(Map.of()));
    }

    @Test
    void givenValuesAreUsed() {
        ServerConfig config = ConfigReader.read(Map.of("PORT", "0", "NUM_WORKERS", "7", "PG_HOST", "db", "PG_USE_SSL",
                "true", "PG_PASSWORD", " a b ", "LOG_LEVEL", "warn", "POP_WAIT_BACKOFF_MULTIPLIER", "1.5"));

        assertThat(config.http().port()).isZero();
        assertThat(config.http().loops()).isEqualTo(7);
        assertThat(config.storage().isEmbedded()).isFalse();
        assertThat(config.storage().database().tls().mode()).isEqualTo(PostgresTls.Mode.VERIFY_FULL);
        assertThat(config.storage().database().password()).isEqualTo(" a b ");
        assertThat(config.operations().logging().level()).isEqualTo(LogLevel.WARN);
        assertThat(config.engine().popWait().backoffMultiplier()).isEqualTo(1.5);
    }

    @Test
    void withoutAValueTheDatabaseDefinesTheNumberOfShards() {
        assertThat(ConfigReader.read(Map.of()).storage().shards().count()).isEmpty();
        assertThat(ConfigReader.read(Map.of("QUEEN_SHARDS", "16")).storage().shards().count()).hasValue(16);
    }

    @Test
    void citusIsUsedAutomaticallyByDefault() {
        assertThat(ConfigReader.read(Map.of()).storage().shards())
                .isEqualTo(new ShardConfig(OptionalInt.empty(), CitusUse.AUTO, true));
        assertThat(
                ConfigReader.read(Map.of("QUEEN_CITUS", "required", "QUEEN_CITUS_DIRECT", "false")).storage().shards())
                .isEqualTo(new ShardConfig(OptionalInt.empty(), CitusUse.REQUIRED, false));
        assertThatThrownBy(() -> ConfigReader.read(Map.of("QUEEN_CITUS", "maybe"))).isInstanceOf(ConfigException.class)
                .hasMessageContaining("QUEEN_CITUS must be auto, required, off");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "65", "-1", "many", "1.5"})
    void aNumberOfShardsThatCannotBeIsRefused(String shards) {
        assertThatThrownBy(() -> ConfigReader.read(Map.of("QUEEN_SHARDS", shards))).isInstanceOf(ConfigException.class)
                .hasMessageContaining("QUEEN_SHARDS must be 1 to 64, but is '" + shards + "'");
    }

    @Test
    void theFormerNameOfASettingIsAcceptedAndTheCurrentOneTakesPrecedence() {
        assertThat(baseInterval(Map.of("POP_WAIT_INITIAL_INTERVAL_MS", "70"))).isEqualTo(Duration.ofMillis(70));
        assertThat(baseInterval(Map.of("POP_WAIT_INITIAL_INTERVAL_MS", "70", "POP_WAIT_BASE_INTERVAL_MS", "80")))
                .isEqualTo(Duration.ofMillis(80));
    }

    @Test
    void allInvalidValuesAreReportedTogether() {
        assertThatThrownBy(() -> ConfigReader.read(Map.of("PORT", "70000", "NUM_WORKERS", "many", "LOG_LEVEL", "loud",
                "POP_WAIT_INITIAL_INTERVAL_MS", "0", "POP_WAIT_BACKOFF_MULTIPLIER", "NaN")))
                .isInstanceOfSatisfying(ConfigException.class,
                        e -> assertThat(e.problems()).containsExactlyInAnyOrder(
                                "PORT must be 0 to 65535, but is '70000'",
                                "NUM_WORKERS must be 1 to 256, but is 'many'",
                                "LOG_LEVEL must be trace, debug, info, warn, error, but is 'loud'",
                                "POP_WAIT_INITIAL_INTERVAL_MS must be 1 to 60000, but is '0'",
                                "POP_WAIT_BACKOFF_MULTIPLIER must be 1.0 to 100.0, but is 'NaN'"))
                .hasMessageContaining("PORT").hasMessageContaining("LOG_LEVEL");
    }

    @Test
    void contradictorySettingsAreInvalid() {
        assertThatThrownBy(() -> ConfigReader.read(Map.of("POP_WAIT_MAX_INTERVAL_MS", "50")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("POP_WAIT_MAX_INTERVAL_MS must not be less than POP_WAIT_BASE_INTERVAL_MS");
    }

    @Test
    void peersAreEnabledUnlessTheDatabaseIsEmbedded() {
        assertThat(ConfigReader.read(Map.of()).cluster().isEnabled()).isFalse();
        assertThat(ConfigReader.read(Map.of("QUEEN_SYNC_ENABLED", "true")).cluster().isEnabled()).isTrue();
        assertThat(ConfigReader.read(Map.of("PG_HOST", "db")).cluster()).isEqualTo(
                new ClusterConfig(true, null, null, 6633, List.of(), Duration.ofSeconds(1), Duration.ofSeconds(5)));
        assertThat(ConfigReader.read(Map.of("PG_HOST", "db", "QUEEN_SYNC_ENABLED", "false")).cluster().isEnabled())
                .isFalse();
    }

    @Test
    void peersAreHostsWithOrWithoutPorts() {
        assertThat(ConfigReader
                .read(Map.of("QUEEN_UDP_NOTIFY_PORT", "7000", "QUEEN_UDP_PEERS", "a, b:1 ,10.0.0.1,[::1]:2,::1"))
                .cluster().peers()).containsExactly(new Peer("a", 7000), new Peer("b", 1), new Peer("10.0.0.1", 7000),
                        new Peer("::1", 2), new Peer("::1", 7000));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a:b", ":1", "a:70000", "a:"})
    void peersThatAreNoneStopTheStart(String peers) {
        assertThatThrownBy(() -> ConfigReader.read(Map.of("QUEEN_UDP_PEERS", peers)))
                .isInstanceOf(ConfigException.class).hasMessageContaining("QUEEN_UDP_PEERS must be hosts");
    }

    @Test
    void aListOfPeersRequiresAFixedPort() {
        assertThatThrownBy(() -> ConfigReader.read(Map.of("QUEEN_UDP_PEERS", "a:1", "QUEEN_SYNC_PORT", "0")))
                .isInstanceOf(ConfigException.class).hasMessageContaining("QUEEN_SYNC_PORT must not be 0");
    }

    @Test
    void withoutTokensThereIsNothingToConfigure() {
        assertThat(ConfigReader.read(Map.of()).access().auth()).isNull();
        assertThat(ConfigReader.read(Map.of("JWT_PUBLIC_KEY", "nonsense", "JWT_JWKS_URL", "nonsense")).access().auth())
                .isNull();
        assertThat(ConfigReader.read(Map.of()).access().encryption().key()).isNull();
        assertThat(ConfigReader.read(Map.of()).http().tls()).isNull();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"HS256||JWT_SECRET must be given, because JWT_ALGORITHM is HS256",
        "RS256|JWT_SECRET=x|JWT_PUBLIC_KEY or JWT_JWKS_URL must be given, because JWT_ALGORITHM is RS256",
        "EdDSA||JWT_PUBLIC_KEY or JWT_JWKS_URL must be given, because JWT_ALGORITHM is EdDSA",
        "auto||one of JWT_SECRET, JWT_PUBLIC_KEY and JWT_JWKS_URL must be given, because JWT_ENABLED is true",
        "RS256|JWT_JWKS_URL=ftp://x|JWT_JWKS_URL must be an address that begins with http:// or https://",
        "EdDSA|JWT_PUBLIC_KEY=x|JWT_PUBLIC_KEY must be a PEM text that begins with -----BEGIN PUBLIC KEY----- and contains an Ed25519 key",
        "ES256|JWT_PUBLIC_KEY=x|JWT_PUBLIC_KEY must be a PEM text that begins with -----BEGIN PUBLIC KEY----- and contains an EC key on the curve of the algorithm (P-256, P-384 or P-521)",
        "none|JWT_SECRET=x|JWT_ALGORITHM must be HS256, HS384, HS512, RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512, EdDSA, auto, but is 'none'",
        "HS256|JWT_SECRET=a|JWT_SECRET has 1 bytes; use at least 32 random bytes, for example the output of: openssl rand -hex 32",
        "HS256|JWT_SECRET=0123456789abcdef0123456789abcde|JWT_SECRET has 31 bytes; use at least 32 random bytes, for example the output of: openssl rand -hex 32",
        "auto|JWT_SECRET=0123456789abcdef0123456789abcde|JWT_SECRET has 31 bytes; use at least 32 random bytes, for example the output of: openssl rand -hex 32",
        "HS512|JWT_SECRET=0123456789abcdef0123456789abcdef|JWT_SECRET has 32 bytes; use at least 64 random bytes, for example the output of: openssl rand -hex 64",
        "HS256|JWT_CLOCK_SKEW=-1|JWT_CLOCK_SKEW must be 0 to 3600, but is '-1'"})
    void tokensThatCannotBeCheckedStopTheStart(String algorithm, String setting, String problem) {
        Map<String, String> variables = new HashMap<>(Map.of("JWT_ENABLED", "true", "JWT_ALGORITHM", algorithm));
        if (setting != null) {
            variables.put(setting.split("=")[0], setting.split("=")[1]);
        }
        assertThatThrownBy(() -> ConfigReader.read(variables)).isInstanceOfSatisfying(ConfigException.class,
                e -> assertThat(e.problems()).contains(problem));
    }

    @Test
    void tokensAreStrictByDefault() {
        AuthConfig auth = ConfigReader
                .read(Map.of("JWT_ENABLED", "true", "JWT_SECRET", "0123456789abcdef0123456789abcdef")).access().auth();

        assertThat(auth.claims().isExpiryRequired()).isTrue();
        assertThat(auth.skipPaths()).containsExactly("/health", "/metrics", "/");
        assertThat(auth.failures())
                .isEqualTo(new AuthConfig.FailureLimits(100, Duration.ofSeconds(60), Duration.ofSeconds(10)));
    }

    @Test
    void probableMistakesCauseWarnings() {
        assertThat(ConfigReader.read(Map.of("PG_SSL_REJECT_UNAUTHORIZED", "TRUE", "DB_POOL_SIZE", "5",
                "QUEEN_JAVA_OPTS", "-Xmx1g", "PGHOST", "x", "PATH", "/bin")).operations().logging().warnings())
                .containsExactly("DB_POOL_SIZE is not a setting of this server and has no effect",
                        "PG_SSL_REJECT_UNAUTHORIZED is 'TRUE', which counts as false: only 'true' is true");
    }

    @Test
    void everyDefaultIsInItsOwnRange() {
        for (Setting setting : Setting.values()) {
            assertThat(setting.defaultValue().isEmpty() || setting.allowed().accept(setting.defaultValue()))
                    .as(setting.name()).isTrue();
        }
    }

    /** To regenerate the page, run this test with -Dqueen.write-docs=true. */
    @Test
    void theCommittedPageIsCurrent() throws Exception {
        if (Boolean.getBoolean("queen.write-docs")) {
            Files.createDirectories(PAGE.getParent());
            Files.writeString(PAGE, ConfigurationPage.text());
        }
        assertThat(PAGE).hasContent(ConfigurationPage.text());
    }

    private static Duration baseInterval(Map<String, String> variables) {
        return ConfigReader.read(variables).engine().popWait().baseInterval();
    }
}
