package io.queenmq.cli.settings;

import org.jspecify.annotations.Nullable;
/** The settings are invalid, or cannot be read or written. The message is shown to the user. */
public final class SettingsException extends RuntimeException {
    SettingsException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
