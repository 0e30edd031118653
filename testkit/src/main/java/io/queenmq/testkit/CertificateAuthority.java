package io.queenmq.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** Issues certificates for tests, with the JDK's keytool. Its files stay in the given folder. */
public final class CertificateAuthority {
    private static final String PASSWORD = "changeit";
    private static final String ROOT = "root";

    private final Path folder;
    private final KeyStore.Entry root;
    private final Path store;

    /** PEM files of a certificate and its private key. */
    public record Issued(Path certificate, Path key) {}

    private CertificateAuthority(Path folder, Path store) throws IOException, GeneralSecurityException {
        this.folder = folder;
        this.store = store;
        this.root = entry(store, ROOT);
    }

    /** Creates an authority with a key of its own. The folder must exist. */
    public static CertificateAuthority create(Path folder, String name) {
        try {
            var store = folder.resolve(name + ".p12");
            keytool("-genkeypair", "-alias", ROOT, "-keyalg", "EC", "-dname", "CN=" + name, "-ext", "bc:c", "-keystore",
                    store.toString());
            return new CertificateAuthority(folder, store);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the PEM file with the certificate of this authority. */
    public Path certificate() {
        try {
            return pem("CERTIFICATE", ((KeyStore.PrivateKeyEntry) root).getCertificate().getEncoded());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Issues a certificate that is valid for 90 days.
     *
     * @param commonName the name of a user, if the certificate is for a client
     * @param alternativeNames as keytool writes them, such as {@code dns:localhost} or {@code ip:127.0.0.1}
     */
    public Issued issue(String commonName, String... alternativeNames) {
        try {
            var alias = "issued-" + System.nanoTime();
            var command = new ArrayList<>(List.of("-genkeypair", "-alias", alias, "-keyalg", "EC", "-dname",
                    "CN=" + commonName, "-signer", ROOT, "-keystore", store.toString()));
            if (alternativeNames.length > 0) {
                command.addAll(List.of("-ext", "SAN=" + String.join(",", alternativeNames)));
            }
            keytool(command.toArray(String[]::new));
            var issued = entry(store, alias);
            return new Issued(pem("CERTIFICATE", issued.getCertificate().getEncoded()),
                    pem("PRIVATE KEY", issued.getPrivateKey().getEncoded()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static KeyStore.PrivateKeyEntry entry(Path store, String alias)
            throws IOException, GeneralSecurityException {
        return (KeyStore.PrivateKeyEntry) KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray()).getEntry(alias,
                new KeyStore.PasswordProtection(PASSWORD.toCharArray()));
    }

    private static void keytool(String... arguments) throws IOException {
        var command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
        command.addAll(List.of(arguments));
        command.addAll(List.of("-storepass", PASSWORD, "-storetype", "PKCS12", "-validity", "90"));
        var keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
        var output = new String(keytool.getInputStream().readAllBytes());
        try {
            if (keytool.waitFor() != 0) {
                throw new IOException("keytool failed: " + output);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    private Path pem(String kind, byte[] bytes) {
        try {
            var file = Files.createTempFile(folder, "tls", ".pem");
            return Files.writeString(file,
                    "-----BEGIN " + kind + "-----\n" + Base64.getMimeEncoder(64, new byte[]{'\n'}).encodeToString(bytes)
                            + "\n-----END " + kind + "-----\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
