package io.queenmq.server.config;

import static io.queenmq.server.config.Setting.PG_SSLCERT;
import static io.queenmq.server.config.Setting.PG_SSLKEY;
import static io.queenmq.server.config.Setting.PG_SSLMODE;
import static io.queenmq.server.config.Setting.PG_SSLROOTCERT;
import static io.queenmq.server.config.Setting.PG_SSL_REJECT_UNAUTHORIZED;
import static io.queenmq.server.config.Setting.PG_USE_SSL;

import java.nio.file.Path;
import java.util.Optional;

/**
 * TLS settings of connections to PostgreSQL. Every kind of connection uses them. The files are read for each connection, so
 * that a renewed certificate takes effect without a restart.
 *
 * @param rootCertificate PEM certificates of the trusted authorities; empty: the authorities that the JVM trusts
 * @param client certificate and key that this server authenticates with
 */
public record PostgresTls(Mode mode, Optional<Path> rootCertificate, Optional<Client> client) {
    /** No TLS. */
    public static final PostgresTls OFF = new PostgresTls(Mode.DISABLE, Optional.empty(), Optional.empty());

    /** The PEM files of a client certificate and its private key. */
    public record Client(Path certificate, Path key) {}

    /** The value of {@link Setting#PG_SSLROOTCERT} that names the authorities of the JVM, as in libpq. */
    private static final String SYSTEM = "system";

    /** The modes of libpq, in ascending order of protection. */
    public enum Mode {
        /** Never encrypts. */
        DISABLE("disable"),
        /** Encrypts if PostgreSQL offers it. Verifies nothing. */
        PREFER("prefer"),
        /** Always encrypts. Verifies the certificate only if a root certificate is given, as in libpq. */
        REQUIRE("require"),
        /** Always encrypts and requires a certificate of a trusted authority. */
        VERIFY_CA("verify-ca"),
        /** Also requires that the certificate names the host. */
        VERIFY_FULL("verify-full");

        private final String text;

        Mode(String text) {
            this.text = text;
        }

        /** Returns the name that libpq uses. */
        public String text() {
            return text;
        }

        /** Returns true if the certificate must be issued by a trusted authority, whether or not a root certificate is given. */
        public boolean isVerified() {
            return compareTo(VERIFY_CA) >= 0;
        }

        /** Returns the mode with this name of libpq. */
        public static Mode of(String text) {
            for (Mode mode : values()) {
                if (mode.text.equals(text)) {
                    return mode;
                }
            }
            throw new IllegalArgumentException(text);
        }
    }

    /** Returns true if the certificate of PostgreSQL must be issued by a trusted authority. */
    public boolean isVerified() {
        return mode.isVerified() || mode == Mode.REQUIRE && rootCertificate.isPresent();
    }

    static PostgresTls read(Environment environment) {
        Mode mode = mode(environment);
        String root = environment.textOrNull(PG_SSLROOTCERT);
        Optional<Path> rootCertificate = Optional.ofNullable(root).filter(path -> !path.equals(SYSTEM))
                .map(path -> PemFile.check(environment, PG_SSLROOTCERT, path, PemFile.CERTIFICATE));
        Optional<Client> client = client(environment);
        if (mode == Mode.DISABLE && (root != null || client.isPresent())) {
            environment.problem("TLS to PostgreSQL is off, but " + PG_SSLROOTCERT + " or " + PG_SSLCERT
                    + " is set; set " + PG_SSLMODE + "=verify-full to use TLS");
        }
        return new PostgresTls(mode, rootCertificate, client);
    }

    private static Optional<Client> client(Environment environment) {
        String certificate = environment.textOrNull(PG_SSLCERT);
        String key = environment.textOrNull(PG_SSLKEY);
        if (certificate == null && key == null) {
            return Optional.empty();
        }
        if (certificate == null || key == null) {
            environment.problem(PG_SSLCERT + " and " + PG_SSLKEY + " must be given together");
            return Optional.empty();
        }
        return Optional.of(new Client(PemFile.check(environment, PG_SSLCERT, certificate, PemFile.CERTIFICATE),
                PemFile.check(environment, PG_SSLKEY, key, PemFile.PRIVATE_KEY)));
    }

    /** {@code PG_SSLMODE} takes precedence; the two older settings express only three modes. */
    private static Mode mode(Environment environment) {
        String given = environment.textOrNull(PG_SSLMODE);
        boolean isWanted = environment.flag(PG_USE_SSL);
        if (given == null) {
            Mode encrypted = environment.flag(PG_SSL_REJECT_UNAUTHORIZED) ? Mode.VERIFY_FULL : Mode.REQUIRE;
            return isWanted ? encrypted : Mode.DISABLE;
        }
        Mode mode = Mode.of(given);
        if (isWanted && mode == Mode.DISABLE) {
            environment.problem(PG_USE_SSL + " is true, but " + PG_SSLMODE + " is disable; remove one of them");
        }
        return mode;
    }
}
