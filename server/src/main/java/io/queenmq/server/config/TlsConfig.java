package io.queenmq.server.config;

import static io.queenmq.server.config.Setting.TLS_CERT;
import static io.queenmq.server.config.Setting.TLS_KEY;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** The certificate and private key to serve HTTPS with, as the PEM files hold them. */
public record TlsConfig(Secret certificate, Secret key) {
    /** Null when neither is given. */
    static TlsConfig read(Environment environment) {
        String certificate = environment.textOrNull(TLS_CERT);
        String key = environment.textOrNull(TLS_KEY);
        if (certificate == null && key == null) {
            return null;
        }
        if (certificate == null || key == null) {
            environment.problem(TLS_CERT + " and " + TLS_KEY + " must be given together");
            return null;
        }
        Secret certificateBytes = file(environment, TLS_CERT, certificate, "CERTIFICATE-----");
        Secret keyBytes = file(environment, TLS_KEY, key, "PRIVATE KEY-----");
        return new TlsConfig(certificateBytes, keyBytes);
    }

    private static Secret file(Environment environment, Setting setting, String path, String mark) {
        try {
            String text = Files.readString(Path.of(path));
            if (!text.contains(mark)) {
                environment.problem(setting + " must be a PEM file with a " + mark.replace("-", "").toLowerCase()
                        + ", but " + path + " has none");
            }
            return new Secret(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException | InvalidPathException e) {
            environment.problem(setting + " cannot be read: " + path + " (" + e.getClass().getSimpleName() + ")");
            return new Secret(new byte[0]);
        }
    }
}
