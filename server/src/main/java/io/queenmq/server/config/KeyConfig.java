package io.queenmq.server.config;

import static io.queenmq.server.config.Setting.API_KEYS_BOOTSTRAP_FILE;
import static io.queenmq.server.config.Setting.API_KEYS_ENABLED;
import static io.queenmq.server.config.Setting.JWT_ENABLED;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Settings of API keys.
 *
 * @param bootstrapFile file with the API key of the first administrator; null if not configured
 */
public record KeyConfig(@Nullable Path bootstrapFile) {
    /** @return null if API keys are not accepted */
    static @Nullable KeyConfig read(Environment environment) {
        Path file = bootstrapFile(environment);
        if (!environment.flag(API_KEYS_ENABLED, environment.flag(JWT_ENABLED))) {
            if (file != null) {
                environment.problem(API_KEYS_BOOTSTRAP_FILE + " needs " + API_KEYS_ENABLED + "=true");
            }
            return null;
        }
        return new KeyConfig(file);
    }

    private static @Nullable Path bootstrapFile(Environment environment) {
        String text = environment.textOrNull(API_KEYS_BOOTSTRAP_FILE);
        try {
            return text == null ? null : Path.of(text);
        } catch (InvalidPathException e) {
            environment.problem(API_KEYS_BOOTSTRAP_FILE + " must be a path: " + e.getMessage());
            return null;
        }
    }
}
