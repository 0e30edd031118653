package io.queenmq.server.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;

/** Checks PEM files that settings name. */
final class PemFile {
    static final String CERTIFICATE = "CERTIFICATE-----";
    static final String PRIVATE_KEY = "PRIVATE KEY-----";

    private PemFile() {}

    /**
     * Returns the path. Reports a problem if the file cannot be read or does not contain the mark.
     *
     * @param mark the end of the line that such a file must contain
     */
    static Path check(Environment environment, Setting setting, String path, String mark) {
        try {
            if (!Files.readString(Path.of(path)).contains(mark)) {
                environment.problem(setting + " must be a PEM file with a "
                        + mark.replace("-", "").toLowerCase(Locale.ROOT) + ", but " + path + " has none");
            }
            return Path.of(path);
        } catch (IOException | InvalidPathException e) {
            environment.problem(setting + " cannot be read: " + path + " (" + e.getClass().getSimpleName() + ")");
            return Path.of("");
        }
    }
}
