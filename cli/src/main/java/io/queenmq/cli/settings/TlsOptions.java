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
import org.jspecify.annotations.Nullable;

/**
 * PEM files for HTTPS. Each may be null.
 *
 * @param caFile trusted authorities, instead of those of the JVM
 * @param certificate certificate that the client presents to the server
 * @param key the private key of the certificate, in PKCS #8 format
 */
public record TlsOptions(@Nullable String caFile, @Nullable String certificate, @Nullable String key) {
    public static final TlsOptions NONE = new TlsOptions(null, null, null);

    private static final Pattern KEY = Pattern.compile("-----BEGIN PRIVATE KEY-----(.*?)-----END PRIVATE KEY-----",
            Pattern.DOTALL);
    private static final List<String> KEY_TYPES = List.of("EC", "RSA", "Ed25519");
    private static final char[] NO_PASSWORD = {};

    static TlsOptions of(Map<String, String> environment) {
        return new TlsOptions(given(environment, "QUEEN_CA_FILE"), given(environment, "QUEEN_CERT_FILE"),
                given(environment, "QUEEN_KEY_FILE"));
    }

    private static @Nullable String given(Map<String, String> environment, String name) {
        String value = environment.getOrDefault(name, "");
        return value.isEmpty() ? null : value;
    }

    /** Returns these files, completed by those of the other. A certificate is never combined with another key. */
    public TlsOptions orElse(TlsOptions other) {
        boolean isOwn = certificate != null || key != null;
        return new TlsOptions(caFile == null ? other.caFile : caFile, isOwn ? certificate : other.certificate,
                isOwn ? key : other.key);
    }

    /** Returns the files with absolute paths. */
    public TlsOptions absolute() {
        return new TlsOptions(absolute(caFile), absolute(certificate), absolute(key));
    }

    private static @Nullable String absolute(@Nullable String file) {
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
    public @Nullable SSLContext context() {
        if (isEmpty()) {
            return null;
        }
        if ((certificate == null) != (key == null)) {
            throw new SettingsException("--cert and --key must be given together", null);
        }
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(certificate == null || key == null ? null : keys(certificate, key).getKeyManagers(),
                    caFile == null ? null : authorities(caFile).getTrustManagers(), null);
            return context;
        } catch (IOException | GeneralSecurityException e) {
            throw new SettingsException("the TLS files cannot be used: " + e.getMessage(), e);
        }
    }

    private static TrustManagerFactory authorities(String caFile) throws IOException, GeneralSecurityException {
        KeyStore store = emptyStore();
        for (Certificate each : certificates(caFile)) {
            store.setCertificateEntry("authority-" + store.size(), each);
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        return trust;
    }

    private static KeyManagerFactory keys(String certificate, String key) throws IOException, GeneralSecurityException {
        KeyStore store = emptyStore();
        store.setKeyEntry("client", privateKey(key), NO_PASSWORD,
                certificates(certificate).toArray(Certificate[]::new));
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
            // Not a PEM file.
        }
        throw new SettingsException("no PEM certificate in " + file, null);
    }

    private static PrivateKey privateKey(String key) {
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
            // Not a PEM file.
        }
        throw new SettingsException("no EC, RSA or Ed25519 key in PKCS #8 format (BEGIN PRIVATE KEY) in " + key, null);
    }

    private static @Nullable PrivateKey privateKey(String type, byte[] bytes) {
        try {
            return KeyFactory.getInstance(type).generatePrivate(new PKCS8EncodedKeySpec(bytes));
        } catch (GeneralSecurityException _) {
            return null; // the key has another type
        }
    }
}
