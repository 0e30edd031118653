package io.queenmq.server.http.server;

import io.queenmq.engine.config.Secret;
import io.queenmq.server.config.TlsConfig;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.ServerSSLOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.Optional;
import javax.net.ssl.X509ExtendedKeyManager;

/**
 * The content of the TLS files at one time.
 *
 * @param clientCa empty if clients need no certificate
 */
record TlsFiles(Secret certificate, Secret key, Optional<Secret> clientCa) {
    private static final String[] KEY_TYPES = {"EC", "RSA", "EdDSA"};

    /** Reads the files. Blocks. */
    static TlsFiles read(TlsConfig config) throws IOException {
        Optional<Secret> clientCa = config.clientCa().isEmpty()
                ? Optional.empty()
                : Optional.of(new Secret(Files.readAllBytes(config.clientCa().get())));
        return new TlsFiles(new Secret(Files.readAllBytes(config.certificate())),
                new Secret(Files.readAllBytes(config.key())), clientCa);
    }

    ServerSSLOptions options() {
        ServerSSLOptions options = new ServerSSLOptions();
        options.setKeyCertOptions(keyOptions()).setUseAlpn(false);
        clientCa.ifPresent(authorities -> {
            options.setTrustOptions(trustOptions(authorities));
            options.setClientAuth(ClientAuth.REQUIRED);
        });
        return options;
    }

    private PemKeyCertOptions keyOptions() {
        return new PemKeyCertOptions().addCertValue(Buffer.buffer(certificate.bytes()))
                .addKeyValue(Buffer.buffer(key.bytes()));
    }

    private static PemTrustOptions trustOptions(Secret authorities) {
        return new PemTrustOptions().addCertValue(Buffer.buffer(authorities.bytes()));
    }

    /**
     * Returns the server's own certificate. Blocks.
     *
     * @throws IllegalArgumentException if the files cannot be used; the message does not quote them, because one is secret
     */
    X509Certificate check(Vertx vertx) {
        X509Certificate own = checkPair(vertx);
        clientCa.ifPresent(authorities -> {
            try {
                trustOptions(authorities).getTrustManagerFactory(vertx);
            } catch (Exception e) {
                throw new IllegalArgumentException(
                        "the certificates of TLS_CLIENT_CA cannot be used: " + e.getClass().getName());
            }
        });
        return own;
    }

    private X509Certificate checkPair(Vertx vertx) {
        try {
            X509ExtendedKeyManager keys = (X509ExtendedKeyManager) keyOptions().getKeyManagerFactory(vertx)
                    .getKeyManagers()[0];
            for (String type : KEY_TYPES) {
                String[] names = keys.getServerAliases(type, null);
                if (names != null) {
                    X509Certificate own = keys.getCertificateChain(names[0])[0];
                    requirePair(own, keys.getPrivateKey(names[0]));
                    return own;
                }
            }
        } catch (IllegalArgumentException e) {
            throw e;
        } catch (Exception e) {
            throw unusable(e.getClass().getName());
        }
        throw unusable("the key must be an EC, RSA or Ed25519 key");
    }

    /** A certificate and a key that do not match would fail every handshake. Files are often replaced one after the other. */
    private static void requirePair(X509Certificate certificate, PrivateKey key) throws GeneralSecurityException {
        Signature signature = Signature.getInstance(switch (key.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> key.getAlgorithm();
        });
        byte[] text = {1};
        signature.initSign(key);
        signature.update(text);
        byte[] signed = signature.sign();
        signature.initVerify(certificate.getPublicKey());
        signature.update(text);
        boolean isPair;
        try {
            isPair = signature.verify(signed);
        } catch (GeneralSecurityException _) {
            isPair = false;
        }
        if (!isPair) {
            throw unusable("they do not belong together");
        }
    }

    private static IllegalArgumentException unusable(String reason) {
        return new IllegalArgumentException(
                "the certificate of TLS_CERT or the key of TLS_KEY cannot be used: " + reason);
    }
}
