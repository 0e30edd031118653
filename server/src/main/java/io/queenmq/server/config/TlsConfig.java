package io.queenmq.server.config;

import static io.queenmq.server.config.Setting.TLS_CERT;
import static io.queenmq.server.config.Setting.TLS_CLIENT_CA;
import static io.queenmq.server.config.Setting.TLS_KEY;
import static io.queenmq.server.config.Setting.TLS_RELOAD_INTERVAL_MS;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The PEM files of the HTTP server. They are read at startup and again when they change.
 *
 * @param clientCa the authorities whose certificates clients must present; empty if clients need none
 * @param reloadEvery interval at which the files are compared with the certificates in use
 */
public record TlsConfig(Path certificate, Path key, Optional<Path> clientCa, Duration reloadEvery) {
    /** Returns null if neither a certificate nor a key is given. */
    static @Nullable TlsConfig read(Environment environment) {
        String certificate = environment.textOrNull(TLS_CERT);
        String key = environment.textOrNull(TLS_KEY);
        String clientCa = environment.textOrNull(TLS_CLIENT_CA);
        if (certificate == null && key == null) {
            if (clientCa != null) {
                environment.problem(TLS_CLIENT_CA + " needs " + TLS_CERT + " and " + TLS_KEY);
            }
            return null;
        }
        if (certificate == null || key == null) {
            environment.problem(TLS_CERT + " and " + TLS_KEY + " must be given together");
            return null;
        }
        return new TlsConfig(PemFile.check(environment, TLS_CERT, certificate, PemFile.CERTIFICATE),
                PemFile.check(environment, TLS_KEY, key, PemFile.PRIVATE_KEY),
                Optional.ofNullable(clientCa)
                        .map(path -> PemFile.check(environment, TLS_CLIENT_CA, path, PemFile.CERTIFICATE)),
                environment.millis(TLS_RELOAD_INTERVAL_MS));
    }
}
