package io.queenmq.server.config;

import static java.nio.file.attribute.PosixFilePermissions.fromString;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queenmq.engine.config.Secret;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Secrets that are read from files. */
class SecretFilesTest {
    private static final String DIGITS = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

    @TempDir
    private Path folder;

    @Test
    void everySecretOfTheServerIsOneThatAFileCanHold() throws Exception {
        Map<String, String> variables = new HashMap<>(Map.of("JWT_ENABLED", "true"));
        for (Setting setting : Setting.values()) {
            if (setting.isSecret()) {
                variables.put(setting + "_FILE", file(setting.name(), DIGITS + "\n").toString());
            }
        }

        ServerConfig config = ConfigReader.read(variables);

        assertThat(config.storage().database().password()).isEqualTo(DIGITS);
        assertThat(config.access().encryption().key()).isNotNull();
        assertThat(config.access().encryption().oldKeys()).containsExactly(config.access().encryption().key());
        assertThat(config.cluster().secret()).isEqualTo(new Secret(DIGITS.getBytes()));
        assertThat(config.access().auth().toString()).doesNotContain(DIGITS);
        assertThat(config.operations().logging().warnings()).isEmpty();
    }

    @Test
    void settingsThatSoundSecretAreSecret() {
        assertThat(Arrays.stream(Setting.values())
                .filter(setting -> setting.name().matches(".*(PASSWORD|SECRET|ENCRYPTION_KEY|OLD_KEYS)$"))).isNotEmpty()
                .allMatch(Setting::isSecret);
    }

    @Test
    void oneLineBreakAtTheEndIsRemoved() throws Exception {
        assertThat(passwordFrom(" with spaces \n")).isEqualTo(" with spaces ");
        assertThat(passwordFrom("from windows\r\n")).isEqualTo("from windows");
        assertThat(passwordFrom("two\n\n")).isEqualTo("two\n");
        assertThat(passwordFrom("none")).isEqualTo("none");
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.INCLUDE, names = {"PG_PASSWORD", "JWT_SECRET", "QUEEN_ENCRYPTION_KEY"})
    void aValueAndAFileContradictEachOther(Setting setting) throws Exception {
        Map<String, String> variables = Map.of(setting.name(), DIGITS, setting + "_FILE",
                file("value", DIGITS).toString());

        assertThatThrownBy(() -> ConfigReader.read(variables)).isInstanceOf(ConfigException.class)
                .hasMessageContaining(setting + " and " + setting + "_FILE are both set")
                .hasMessageNotContaining(DIGITS);
    }

    @Test
    void anEmptyVariableDoesNotContradictAFile() throws Exception {
        assertThat(ConfigReader.read(Map.of("PG_PASSWORD", "", "PG_PASSWORD_FILE", file("value", "x").toString()))
                .storage().database().password()).isEqualTo("x");
    }

    @Test
    void unusableFilesStopTheStartAndAreReportedWithTheReason() throws Exception {
        assertProblem(folder.resolve("nowhere").toString(), "the file does not exist");
        assertProblem(folder.toString(), "which is a folder");
        assertProblem(file("empty", "\n").toString(), "which is empty");
        assertProblem(file("large", "x".repeat(70_000)).toString(), "more than 65536 bytes");
        Path binary = folder.resolve("binary");
        Files.write(binary, new byte[]{(byte) 0xff, (byte) 0xfe, 0x01});
        assertProblem(binary.toString(), "not UTF-8");
    }

    /** The exception is made here, because root may read every file. */
    @Test
    void aFileWithoutPermissionIsReportedAsSuch() {
        assertThat(SecretFiles.reasonOf(new AccessDeniedException("secret"))).contains("no permission");
    }

    @Test
    void aFileThatAllUsersCanReadCausesAWarning() throws Exception {
        Path file = file("open", "sesame");
        Files.setPosixFilePermissions(file, fromString("rw-r--r--"));

        assertThat(ConfigReader.read(Map.of("PG_PASSWORD_FILE", file.toString())).operations().logging().warnings())
                .singleElement().asString().contains("PG_PASSWORD_FILE", file.toString(), "chmod 600")
                .doesNotContain("sesame");
    }

    @Test
    void aBadKeyInAFileIsNotQuoted() throws Exception {
        Map<String, String> variables = Map.of("QUEEN_ENCRYPTION_KEY_FILE", file("key", "no-key").toString());

        assertThatThrownBy(() -> ConfigReader.read(variables)).isInstanceOf(ConfigException.class)
                .hasMessageContaining("QUEEN_ENCRYPTION_KEY must be 64 hexadecimal digits")
                .hasMessageNotContaining("no-key");
    }

    @Test
    void onlySecretsAreReadFromFiles() throws Exception {
        assertThat(ConfigReader.read(Map.of("PG_USER_FILE", file("user", "x").toString())).operations().logging()
                .warnings()).containsExactly("PG_USER_FILE is not a setting of this server and has no effect");
    }

    private String passwordFrom(String content) throws IOException {
        return ConfigReader.read(Map.of("PG_PASSWORD_FILE", file("password", content).toString())).storage().database()
                .password();
    }

    private void assertProblem(String path, String reason) {
        assertThatThrownBy(() -> ConfigReader.read(Map.of("PG_PASSWORD_FILE", path)))
                .isInstanceOf(ConfigException.class).hasMessageContaining("PG_PASSWORD_FILE is " + path)
                .hasMessageContaining(reason);
    }

    private Path file(String name, String content) throws IOException {
        Path file = Files.writeString(folder.resolve(name), content);
        Files.setPosixFilePermissions(file, fromString("rw-------"));
        return file;
    }
}
