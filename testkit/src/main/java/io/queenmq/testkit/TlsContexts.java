package io.queenmq.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Creates the TLS settings of clients in tests from PEM files of a {@link CertificateAuthority}. */
public final class TlsContexts {
    private static final char[] NO_PASSWORD = {};

    private TlsContexts() {}

    /**
     * Returns a context that trusts one authority only.
     *
     * @param authority the PEM file of its certificate
     * @param client the certificate that the client presents; null for none
     */
    public static SSLContext of(Path authority, CertificateAuthority.@Nullable Issued client) {
        try {
            var trusted = emptyStore();
            trusted.setCertificateEntry("authority", certificate(authority));
            var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(trusted);
            var own = emptyStore();
            if (client != null) {
                var pem = Files.readString(client.key()).replaceAll("-----.*-----", "");
                var key = KeyFactory.getInstance("EC")
                        .generatePrivate(new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(pem)));
                own.setKeyEntry("client", key, NO_PASSWORD, new Certificate[]{certificate(client.certificate())});
            }
            var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(own, NO_PASSWORD);
            var context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
            return context;
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Certificate certificate(Path pem) throws IOException, GeneralSecurityException {
        try (var in = Files.newInputStream(pem)) {
            return CertificateFactory.getInstance("X.509").generateCertificate(in);
        }
    }

    private static KeyStore emptyStore() throws IOException, GeneralSecurityException {
        var store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }
}
