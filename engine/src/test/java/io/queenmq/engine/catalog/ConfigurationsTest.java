package io.queenmq.engine.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.engine.catalog.Configurations.Mode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigurationsTest {
    @ParameterizedTest(name = "encryptionEnabled {0}, key of this server {1}: {2}")
    @CsvSource(nullValues = "unchanged", value = {"unchanged, true,  PLAIN", "unchanged, false, PLAIN",
        "false,     true,  PLAIN", "false,     false, PLAIN", "true,      true,  ENCRYPT",
        "true,      false, ENCRYPT_WITH_KEY_OF_ANOTHER_SERVER"})
    void switchingEncryptionOnRequiresAKeySomewhere(Boolean isEncrypted, boolean hasKey, Mode mode) {
        assertThat(Mode.of(TestQueues.options(isEncrypted), hasKey)).isEqualTo(mode);
    }
}
