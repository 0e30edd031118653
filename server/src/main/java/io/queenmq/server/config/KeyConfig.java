package io.queenmq.server.config;

import static io.queenmq.server.config.Setting.API_KEYS_BOOTSTRAP_FILE;
import static io.queenmq.server.config.Setting.API_KEYS_ENABLED;
import static io.queenmq.server.config.Setting.JWT_ENABLED;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/**
 * Settings of API keys.
 *
 * @param bootstrapFile the file with the first administrator's key; null when there is none
 */
public record KeyConfig(Path bootstrapFile) {
    /** @return null when API keys are not accepted */
    static KeyConfig read(Environment environment) {
        Path file = bootstrapFile(environment);
        if (!environment.flag(API_KEYS_ENABLED, environment.flag(JWT_ENABLED))) {
            if (file != null) {
                environment.problem(API_KEYS_BOOTSTRAP_FILE + " needs " + API_KEYS_ENABLED + "=true");
            }
            return null;
        }
        return new KeyConfig(file);
    }

    private static Path bootstrapFile(Environment environment) {
        String text = environment.textOrNull(API_KEYS_BOOTSTRAP_FILE);
        try {
            return text == null ? null : Path.of(text);
        } catch (InvalidPathException e) {
            environment.problem(API_KEYS_BOOTSTRAP_FILE + " must be a path: " + e.getMessage());
            return null;
        }
    }
}
