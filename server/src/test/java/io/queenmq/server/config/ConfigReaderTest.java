package io.queenmq.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ConfigReaderTest {
    private static final Path PAGE = Path.of("../docs/reference/configuration.md");

    @Test
    void anEmptyEnvironmentGivesTheDefaults() {
        ServerConfig config = ConfigReader.read(Map.of());

        assertThat(config.http().host()).isEqualTo("0.0.0.0");
        assertThat(config.http().port()).isEqualTo(6632);
        assertThat(config.http().loops()).isBetween(1, 4);
        assertThat(config.http().bodyBytesMax()).isEqualTo(64 * 1024 * 1024);
        assertThat(config.logLevel()).isEqualTo(LogLevel.INFO);
        assertThat(config.data()).isEqualTo(Path.of("./queen-data"));
        assertThat(config.isEmbedded()).isTrue();
        assertThat(config.database())
                .isEqualTo(new DatabaseConfig(null, 5432, "postgres", "postgres", "postgres", false,
                        true, Duration.ofSeconds(2), Duration.ofSeconds(30), Duration.ofSeconds(10)));
        assertThat(config.engine())
                .isEqualTo(new EngineConfig(500, Duration.ZERO, 2, 20_000, Duration.ofSeconds(5),
                        Duration.ofHours(1), 100_000, 4_000_000, 33_554_432, 20_000,
                        new EngineConfig.PopWait(Duration.ofMillis(100), 3, 2.0, Duration.ofSeconds(1))));
        assertThat(config.pop()).isEqualTo(new PopConfig(Duration.ofSeconds(30), 1, ""));
        assertThat(config.upkeep()).isEqualTo(
                new UpkeepConfig(Duration.ofMinutes(5), 1_000, Duration.ofMinutes(1), 1_000, 30, 90));
        assertThat(config.shutdownGrace()).isEqualTo(Duration.ofSeconds(10));
        assertThat(config.warnings()).isEmpty();
    }

    @Test
    void emptyValuesCountAsNone() {
        assertThat(ConfigReader.read(Map.of("PG_HOST", "", "PORT", " ", "LOG_LEVEL", "")))
                .isEqualTo(ConfigReader.read(Map.of()));
    }

    @Test
    void givenValuesAreTaken() {
        ServerConfig config = ConfigReader.read(Map.of("PORT", "0", "NUM_WORKERS", "7", "PG_HOST", "db", "PG_USE_SSL",
                "true", "PG_PASSWORD", " a b ", "LOG_LEVEL", "warn", "POP_WAIT_BACKOFF_MULTIPLIER", "1.5"));

        assertThat(config.http().port()).isZero();
        assertThat(config.http().loops()).isEqualTo(7);
        assertThat(config.isEmbedded()).isFalse();
        assertThat(config.database().useSsl()).isTrue();
        assertThat(config.database().password()).isEqualTo(" a b ");
        assertThat(config.logLevel()).isEqualTo(LogLevel.WARN);
        assertThat(config.engine().popWait().backoffMultiplier()).isEqualTo(1.5);
    }

    @Test
    void theOlderNameOfASettingIsAcceptedButTheNewOneWins() {
        assertThat(baseInterval(Map.of("POP_WAIT_INITIAL_INTERVAL_MS", "70"))).isEqualTo(Duration.ofMillis(70));
        assertThat(baseInterval(Map.of("POP_WAIT_INITIAL_INTERVAL_MS", "70", "POP_WAIT_BASE_INTERVAL_MS", "80")))
                .isEqualTo(Duration.ofMillis(80));
    }

    @Test
    void allBadValuesAreNamedTogether() {
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
    void settingsThatContradictEachOtherAreBad() {
        assertThatThrownBy(() -> ConfigReader.read(Map.of("POP_WAIT_MAX_INTERVAL_MS", "50")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("POP_WAIT_MAX_INTERVAL_MS must not be less than POP_WAIT_BASE_INTERVAL_MS");
    }

    @Test
    void whatIsProbablyNotMeantIsWarnedAbout() {
        assertThat(
                ConfigReader.read(Map.of("PG_SSL_REJECT_UNAUTHORIZED", "TRUE", "DB_POOL_SIZE", "5", "QUEEN_JAVA_OPTS",
                        "-Xmx1g", "PGHOST", "x", "PATH", "/bin")).warnings())
                .containsExactly(
                        "DB_POOL_SIZE is not a setting of this server and has no effect",
                        "PG_SSL_REJECT_UNAUTHORIZED is 'TRUE', which counts as false: only 'true' is true");
    }

    @Test
    void everyDefaultIsInItsOwnRange() {
        for (Setting setting : Setting.values()) {
            assertThat(setting.standard().isEmpty() || setting.allowed().accept(setting.standard())).as(setting.name())
                    .isTrue();
        }
    }

    /** To write the page anew: run this with -Dqueen.write-docs=true. */
    @Test
    void thePageSaysWhatTheCodeDoes() throws Exception {
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
