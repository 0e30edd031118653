package io.queenmq.server.http;

import io.queenmq.server.config.TlsConfig;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.PemKeyCertOptions;

/** The certificate and key as the HTTP server wants them. */
final class Tls {
    private Tls() {}

    static PemKeyCertOptions options(TlsConfig config) {
        return new PemKeyCertOptions().addCertValue(Buffer.buffer(config.certificate().bytes()))
                .addKeyValue(Buffer.buffer(config.key().bytes()));
    }

    /** Null when they can be used, else why not. */
    static String problem(Vertx vertx, TlsConfig config) {
        try {
            options(config).getKeyManagerFactory(vertx);
            return null;
        } catch (Exception e) {
            // What the cause says may quote the key.
            return "the certificate of TLS_CERT or the key of TLS_KEY cannot be used: " + e.getClass().getName();
        }
    }
}
