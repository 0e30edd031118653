package io.queenmq.cli.settings;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * PEM files for HTTPS. Each may be null.
 *
 * @param caFile the authorities that are trusted instead of those of the JVM
 * @param certificate what this client presents to the server
 * @param key the private key of the certificate, in PKCS #8 format
 */
public record TlsOptions(String caFile, String certificate, String key) {
    public static final TlsOptions NONE = new TlsOptions(null, null, null);

    private static final Pattern KEY = Pattern.compile("-----BEGIN PRIVATE KEY-----(.*?)-----END PRIVATE KEY-----",
            Pattern.DOTALL);
    private static final List<String> KEY_TYPES = List.of("EC", "RSA", "Ed25519");
    private static final char[] NO_PASSWORD = {};

    static TlsOptions of(Map<String, String> environment) {
        return new TlsOptions(given(environment, "QUEEN_CA_FILE"), given(environment, "QUEEN_CERT_FILE"),
                given(environment, "QUEEN_KEY_FILE"));
    }

    private static String given(Map<String, String> environment, String name) {
        String value = environment.getOrDefault(name, "");
        return value.isEmpty() ? null : value;
    }

    /** Returns these files, and those of the other where these are missing. A certificate and its key stay together. */
    public TlsOptions orElse(TlsOptions other) {
        boolean isOwn = certificate != null || key != null;
        return new TlsOptions(caFile == null ? other.caFile : caFile, isOwn ? certificate : other.certificate,
                isOwn ? key : other.key);
    }

    /** Returns the same files, found from any working directory. */
    public TlsOptions absolute() {
        return new TlsOptions(absolute(caFile), absolute(certificate), absolute(key));
    }

    private static String absolute(String file) {
        return file == null ? null : Path.of(file).toAbsolutePath().normalize().toString();
    }

    public boolean isEmpty() {
        return equals(NONE);
    }

    /**
     * Returns null if no file is given, so that the settings of the JVM are used.
     *
     * @throws SettingsException if a file cannot be used
     */
    public SSLContext context() {
        if (isEmpty()) {
            return null;
        }
        if ((certificate == null) != (key == null)) {
            throw new SettingsException("--cert and --key must be given together", null);
        }
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(certificate == null ? null : keys().getKeyManagers(),
                    caFile == null ? null : authorities().getTrustManagers(), null);
            return context;
        } catch (IOException | GeneralSecurityException e) {
            throw new SettingsException("the TLS files cannot be used: " + e.getMessage(), e);
        }
    }

    private TrustManagerFactory authorities() throws IOException, GeneralSecurityException {
        KeyStore store = emptyStore();
        for (Certificate each : certificates(caFile)) {
            store.setCertificateEntry("authority-" + store.size(), each);
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        return trust;
    }

    private KeyManagerFactory keys() throws IOException, GeneralSecurityException {
        KeyStore store = emptyStore();
        store.setKeyEntry("client", privateKey(), NO_PASSWORD, certificates(certificate).toArray(Certificate[]::new));
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, NO_PASSWORD);
        return keys;
    }

    private static KeyStore emptyStore() throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }

    private static Collection<? extends Certificate> certificates(String file) throws GeneralSecurityException {
        try (InputStream in = Files.newInputStream(Path.of(file))) {
            Collection<? extends Certificate> found = CertificateFactory.getInstance("X.509").generateCertificates(in);
            if (!found.isEmpty()) {
                return found;
            }
        } catch (IOException | InvalidPathException e) {
            throw new SettingsException("cannot read " + file + ": " + e.getClass().getSimpleName(), e);
        } catch (CertificateException _) {
            // It is no PEM file.
        }
        throw new SettingsException("there is no PEM certificate in " + file, null);
    }

    private PrivateKey privateKey() {
        try {
            Matcher pem = KEY.matcher(Files.readString(Path.of(key)));
            if (pem.find()) {
                byte[] bytes = Base64.getMimeDecoder().decode(pem.group(1));
                for (String type : KEY_TYPES) {
                    PrivateKey found = privateKey(type, bytes);
                    if (found != null) {
                        return found;
                    }
                }
            }
        } catch (IOException | InvalidPathException e) {
            throw new SettingsException("cannot read " + key + ": " + e.getClass().getSimpleName(), e);
        } catch (IllegalArgumentException _) {
            // It is no PEM file.
        }
        throw new SettingsException(
                "there is no EC, RSA or Ed25519 key in PKCS #8 format (BEGIN PRIVATE KEY) in " + key,
                null);
    }

    private static PrivateKey privateKey(String type, byte[] bytes) {
        try {
            return KeyFactory.getInstance(type).generatePrivate(new PKCS8EncodedKeySpec(bytes));
        } catch (GeneralSecurityException _) {
            return null; // it is of another type
        }
    }
}
