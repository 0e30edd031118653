package io.queenmq.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Settings from a file. */
class SettingsFileTest {
    @TempDir
    private Path folder;

    @Test
    void settingsOfTheFileApplyUnlessTheEnvironmentHasThem() throws IOException {
        String file = file("PORT=7000\nLOG_FORMAT=json\nFILE_BUFFER_DIR=/spool\nPG_PASSWORD=of the file\n",
                "rw-r-----");

        ServerConfig config = ConfigReader.read(Map.of("QUEEN_CONFIG", file, "PORT", "7001"));

        assertThat(config.http().port()).isEqualTo(7001);
        assertThat(config.operations().logging().isJson()).isTrue();
        assertThat(config.storage().spool().folder()).isEqualTo(Path.of("/spool"));
        assertThat(config.storage().database().password()).isEqualTo("of the file");
        assertThat(config.operations().logging().warnings()).isEmpty();
    }

    @Test
    void aSecretOfTheEnvironmentReplacesThatOfTheFileInAnyForm() throws IOException {
        Path secret = Files.writeString(folder.resolve("secret"), "of the secret file\n");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
        String file = file("PG_PASSWORD=of the file\nSPOOL_DIR=/a\n", "rw-------");

        ServerConfig config = ConfigReader
                .read(Map.of("QUEEN_CONFIG", file, "PG_PASSWORD_FILE", secret.toString(), "FILE_BUFFER_DIR", "/b"));

        assertThat(config.storage().database().password()).isEqualTo("of the secret file");
        assertThat(config.storage().spool().folder()).isEqualTo(Path.of("/b"));
    }

    @Test
    void mistakesAreReportedTogetherAndWithoutValues() throws IOException {
        String file = file("PROT=hidden\nQUEEN_CONFIG=x\nNUM_WORKERS=none\n", "rw-------");

        assertThatThrownBy(() -> ConfigReader.read(Map.of("QUEEN_CONFIG", file))).isInstanceOf(ConfigException.class)
                .hasMessageContaining("PROT is not a setting").hasMessageContaining("QUEEN_CONFIG is not a setting")
                .hasMessageContaining("NUM_WORKERS must be").hasMessageNotContaining("hidden");
        assertThatThrownBy(() -> ConfigReader.read(Map.of("QUEEN_CONFIG", folder.resolve("none").toString())))
                .hasMessageContaining("the file does not exist");
    }

    @Test
    void aFileWithSecretsThatEveryUserCanReadCausesAWarning() throws IOException {
        assertThat(ConfigReader.read(Map.of("QUEEN_CONFIG", file("PG_PASSWORD=a\n", "rw-r--r--"))).operations()
                .logging().warnings()).singleElement().asString().contains("chmod 600");
        assertThat(ConfigReader.read(Map.of("QUEEN_CONFIG", file("PORT=1\n", "rw-r--r--"))).operations().logging()
                .warnings()).isEmpty();
    }

    @Test
    void effectiveSettingsHaveASourceAndNoSecret() throws IOException {
        String file = file("PORT=7000\nQUEEN_SYNC_SECRET=hush\nFILE_BUFFER_DIR=/spool\n", "rw-------");
        Map<String, String> environment = Map.of("QUEEN_CONFIG", file, "HOST", "::1", "OIDC_ISSUER", "https://id");

        assertThat(EffectiveSetting.all(environment)).hasSize(Setting.values().length).contains(
                new EffectiveSetting("PORT", "7000", file), new EffectiveSetting("HOST", "::1", "environment"),
                new EffectiveSetting("QUEEN_SYNC_SECRET", "********", file),
                new EffectiveSetting("PG_PASSWORD", "********", "default"),
                new EffectiveSetting("SPOOL_DIR", "/spool", file + " (FILE_BUFFER_DIR)"),
                new EffectiveSetting("JWT_ENABLED", "true", "OIDC_ISSUER"),
                new EffectiveSetting("PG_PORT", "5432", "default"), new EffectiveSetting("NUM_WORKERS", "", "default"));
    }

    private String file(String text, String permissions) throws IOException {
        Path file = Files.writeString(folder.resolve("queen.properties"), text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
        return file.toString();
    }
}
