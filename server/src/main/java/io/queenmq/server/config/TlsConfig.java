package io.queenmq.server.config;

import static io.queenmq.server.config.Setting.TLS_CERT;
import static io.queenmq.server.config.Setting.TLS_KEY;

/** The certificate and private key of the HTTP server, as the PEM files contain them. */
public record TlsConfig(Secret certificate, Secret key) {
    /** Null if neither file is given. */
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
        return new TlsConfig(PemFile.read(environment, TLS_CERT, certificate, PemFile.CERTIFICATE),
                PemFile.read(environment, TLS_KEY, key, PemFile.PRIVATE_KEY));
    }
}
