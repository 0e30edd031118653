package io.queenmq.server.config;

import static io.queenmq.server.config.Setting.*;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.PublicKey;
import java.security.interfaces.EdECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * Who may do what.
 *
 * @param secret what HS256 tokens are signed with; null when such tokens are not taken
 * @param publicKey the key of RS256 or EdDSA tokens; null when there is none, or it is published
 * @param jwksUrl where keys are published; null when they are not
 * @param issuer null when any will do
 * @param audience null when any will do
 */
public record AuthConfig(Algorithm algorithm, Secret secret, PublicKey publicKey, URI jwksUrl, Duration jwksRefresh,
        Duration jwksTimeout, String issuer, String audience, Duration clockSkew, List<String> skipPaths,
        RoleNames roles) {

    /** How tokens are signed. */
    public enum Algorithm {
        HS256,
        RS256,
        EDDSA,
        AUTO
    }

    /** What roles are called, and which claims tell them. */
    public record RoleNames(String claim, String arrayClaim, String admin, String readWrite, String readOnly) {}

    /** The address of published keys may hold credentials, so little is told. */
    @Override
    public String toString() {
        return "tokens signed with " + algorithm;
    }

    /** Null when tokens are not asked for. */
    static AuthConfig read(Environment environment) {
        if (!environment.flag(JWT_ENABLED)) {
            return null;
        }
        Algorithm algorithm = Algorithm.valueOf(environment.text(JWT_ALGORITHM).toUpperCase());
        PublicKey publicKey = publicKey(environment, algorithm);
        AuthConfig config = new AuthConfig(algorithm, secret(environment, algorithm), publicKey,
                publicKey == null ? jwksUrl(environment, algorithm) : null,
                environment.seconds(JWT_JWKS_REFRESH_INTERVAL), environment.millis(JWT_JWKS_TIMEOUT_MS),
                environment.textOrNull(JWT_ISSUER), environment.textOrNull(JWT_AUDIENCE),
                environment.seconds(JWT_CLOCK_SKEW), environment.list(JWT_SKIP_PATHS), roles(environment));
        config.requireKeys(environment);
        return config;
    }

    private void requireKeys(Environment environment) {
        boolean hasPublic = publicKey != null || jwksUrl != null || environment.textOrNull(JWT_PUBLIC_KEY) != null;
        switch (algorithm) {
            case HS256 -> {
                if (secret == null) {
                    environment.problem(JWT_SECRET + " must be given, because " + JWT_ALGORITHM + " is HS256");
                }
            }
            case RS256, EDDSA -> {
                if (!hasPublic) {
                    environment.problem(JWT_PUBLIC_KEY + " or " + JWT_JWKS_URL + " must be given, because "
                            + JWT_ALGORITHM + " is " + environment.text(JWT_ALGORITHM));
                }
            }
            case AUTO -> {
                if (secret == null && !hasPublic) {
                    environment.problem("one of " + JWT_SECRET + ", " + JWT_PUBLIC_KEY + " and " + JWT_JWKS_URL
                            + " must be given, because " + JWT_ENABLED + " is true");
                }
            }
        }
    }

    private static Secret secret(Environment environment, Algorithm algorithm) {
        String secret = environment.textOrNull(JWT_SECRET);
        boolean isUsed = algorithm == Algorithm.HS256 || algorithm == Algorithm.AUTO;
        return secret == null || !isUsed ? null : new Secret(secret.getBytes(StandardCharsets.UTF_8));
    }

    private static PublicKey publicKey(Environment environment, Algorithm algorithm) {
        String pem = environment.textOrNull(JWT_PUBLIC_KEY);
        if (pem == null || algorithm == Algorithm.HS256) {
            return null;
        }
        PublicKey key = PemKey.parse(pem);
        boolean fits = switch (algorithm) {
            case RS256 -> key instanceof RSAPublicKey;
            case EDDSA -> key instanceof EdECPublicKey;
            case HS256, AUTO -> key != null;
        };
        if (!fits) {
            environment.problem(JWT_PUBLIC_KEY + " must be a PEM text that begins with -----BEGIN PUBLIC KEY-----"
                    + switch (algorithm) {
                        case RS256 -> " and holds an RSA key of 2048 bits or more";
                        case EDDSA -> " and holds an Ed25519 key";
                        case HS256, AUTO -> " and holds an Ed25519 key or an RSA key of 2048 bits or more";
                    });
        }
        return fits ? key : null;
    }

    private static URI jwksUrl(Environment environment, Algorithm algorithm) {
        String text = environment.textOrNull(JWT_JWKS_URL);
        if (text == null || algorithm == Algorithm.HS256) {
            return null;
        }
        try {
            URI url = URI.create(text.strip());
            if (url.getHost() != null && Set.of("http", "https").contains(url.getScheme())) {
                return url;
            }
        } catch (IllegalArgumentException _) {
            // told below
        }
        environment.problem(JWT_JWKS_URL + " must be an address that begins with http:// or https://");
        return null;
    }

    private static RoleNames roles(Environment environment) {
        RoleNames roles = new RoleNames(environment.text(JWT_ROLES_CLAIM), environment.text(JWT_ROLES_ARRAY_CLAIM),
                environment.text(JWT_ROLE_ADMIN), environment.text(JWT_ROLE_READ_WRITE),
                environment.text(JWT_ROLE_READ_ONLY));
        if (List.of(roles.admin, roles.readWrite, roles.readOnly).stream().distinct().count() < 3) {
            environment.problem(JWT_ROLE_ADMIN + ", " + JWT_ROLE_READ_WRITE + " and " + JWT_ROLE_READ_ONLY
                    + " must differ from each other");
        }
        return roles;
    }
}
