package io.queenmq.cli.settings;

/** The settings cannot be read or written, or do not say what they should; the message is for the user. */
public final class SettingsException extends RuntimeException {
    SettingsException(String message, Throwable cause) {
        super(message, cause);
    }
}
