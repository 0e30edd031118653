package io.queenmq.server.config;

import static io.queenmq.server.config.Setting.*;

import io.queenmq.engine.config.Secret;
import io.queenmq.server.config.TokenAlgorithm.Kind;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.PublicKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The settings of authentication.
 *
 * @param algorithms the algorithms that tokens may be signed with; empty if only API keys are accepted
 * @param skipPaths paths that need no token; one that ends in a slash includes everything below it
 */
public record AuthConfig(Set<TokenAlgorithm> algorithms, Keys keys, ClaimRules claims, List<String> skipPaths,
        RoleNames roles, FailureLimits failures) {
    private static final String METRICS_PATH = "/metrics/prometheus";

    /**
     * The keys that verify tokens.
     *
     * @param secret the secret of HS256, HS384 and HS512 tokens; null if such tokens are not accepted
     * @param publicKey the key of all other tokens; null if there is none, or keys are published
     * @param jwksUrl the address of the published keys; null if there are none
     */
    public record Keys(@Nullable Secret secret, @Nullable PublicKey publicKey, @Nullable URI jwksUrl,
            Duration jwksRefresh, Duration jwksTimeout) {}

    /**
     * The claims that a token must have.
     *
     * @param issuer null if any is accepted
     * @param audience null if any is accepted
     * @param isExpiryRequired true if a token without {@code exp} is rejected
     */
    public record ClaimRules(@Nullable String issuer, @Nullable String audience, Duration clockSkew,
            boolean isExpiryRequired) {}

    /** The names of the roles, and of the claims that contain them and the rights on queues. */
    public record RoleNames(String claim, String arrayClaim, String admin, String readWrite, String readOnly,
            String rightsClaim) {}

    /**
     * Limits failed authentications of one client address.
     *
     * @param max failures within the window before the address is blocked; 0 means no limit
     * @param block the time for which further tokens of the address are rejected unverified
     */
    public record FailureLimits(int max, Duration window, Duration block) {}

    /** Does not contain the address of the published keys, which may contain credentials. */
    @Override
    public String toString() {
        return "tokens signed with " + algorithms;
    }

    /** Returns null if requests need neither a token nor an API key. */
    static @Nullable AuthConfig read(Environment environment) {
        if (!environment.flag(JWT_ENABLED)) {
            return environment.flag(API_KEYS_ENABLED) ? of(environment, Set.of(), null, null) : null;
        }
        Set<TokenAlgorithm> algorithms = algorithms(environment);
        boolean isPublic = algorithms.stream().anyMatch(each -> each.kind() != Kind.SECRET);
        PublicKey publicKey = isPublic ? publicKey(environment, algorithms) : null;
        AuthConfig config = of(environment, algorithms, publicKey,
                publicKey == null && isPublic ? jwksUrl(environment) : null);
        config.requireKeys(environment);
        return config;
    }

    /** @param algorithms empty if only API keys are accepted */
    private static AuthConfig of(Environment environment, Set<TokenAlgorithm> algorithms, @Nullable PublicKey publicKey,
            @Nullable URI jwksUrl) {
        Keys keys = new Keys(secret(environment, algorithms), publicKey, jwksUrl,
                environment.seconds(JWT_JWKS_REFRESH_INTERVAL), environment.millis(JWT_JWKS_TIMEOUT_MS));
        ClaimRules claims = new ClaimRules(environment.textOrNull(JWT_ISSUER), environment.textOrNull(JWT_AUDIENCE),
                environment.seconds(JWT_CLOCK_SKEW), environment.flag(JWT_REQUIRE_EXP));
        return new AuthConfig(algorithms, keys, claims, skipPaths(environment), roles(environment),
                new FailureLimits(environment.integer(AUTH_FAILURES_MAX),
                        environment.seconds(AUTH_FAILURES_WINDOW_SECONDS), environment.seconds(AUTH_BLOCK_SECONDS)));
    }

    private static Set<TokenAlgorithm> algorithms(Environment environment) {
        TokenAlgorithm only = TokenAlgorithm.named(environment.text(JWT_ALGORITHM));
        return Collections.unmodifiableSet(only == null ? EnumSet.allOf(TokenAlgorithm.class) : EnumSet.of(only));
    }

    private void requireKeys(Environment environment) {
        boolean hasPublic = keys.publicKey != null || keys.jwksUrl != null
                || environment.textOrNull(JWT_PUBLIC_KEY) != null;
        boolean hasSecret = environment.textOrNull(JWT_SECRET) != null;
        if (algorithms.size() > 1) {
            if (!hasSecret && !hasPublic) {
                environment.problem("one of " + JWT_SECRET + ", " + JWT_PUBLIC_KEY + " and " + JWT_JWKS_URL
                        + " must be given, because " + JWT_ENABLED + " is true");
            }
            return;
        }
        TokenAlgorithm only = algorithms.iterator().next();
        if (only.kind() == Kind.SECRET && !hasSecret) {
            environment.problem(JWT_SECRET + " must be given, because " + JWT_ALGORITHM + " is " + only.label());
        } else if (only.kind() != Kind.SECRET && !hasPublic) {
            environment.problem(JWT_PUBLIC_KEY + " or " + JWT_JWKS_URL + " must be given, because " + JWT_ALGORITHM
                    + " is " + only.label());
        }
    }

    private static @Nullable Secret secret(Environment environment, Set<TokenAlgorithm> algorithms) {
        String text = environment.textOrNull(JWT_SECRET);
        int bytesMin = algorithms.stream().filter(each -> each.kind() == Kind.SECRET)
                .mapToInt(TokenAlgorithm::secretBytesMin).min().orElse(0);
        if (text == null || bytesMin == 0) {
            return null;
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length < bytesMin) {
            environment.problem(JWT_SECRET + " has " + bytes.length + " bytes; use at least " + bytesMin
                    + " random bytes, for example the output of: openssl rand -hex " + bytesMin);
            return null;
        }
        return new Secret(bytes);
    }

    private static @Nullable PublicKey publicKey(Environment environment, Set<TokenAlgorithm> algorithms) {
        String pem = environment.textOrNull(JWT_PUBLIC_KEY);
        if (pem == null) {
            return null;
        }
        PublicKey key = PemKey.parse(pem);
        if (key != null && algorithms.stream().anyMatch(each -> each.accepts(key))) {
            return key;
        }
        environment.problem(
                JWT_PUBLIC_KEY + " must be a PEM text that begins with -----BEGIN PUBLIC KEY----- and contains "
                        + String.join(", or ", algorithms.stream().map(TokenAlgorithm::kind)
                                .filter(kind -> kind != Kind.SECRET).distinct().map(Kind::inWords).toList()));
        return null;
    }

    private static @Nullable URI jwksUrl(Environment environment) {
        String text = environment.textOrNull(JWT_JWKS_URL);
        if (text == null) {
            return null;
        }
        try {
            URI url = URI.create(text.strip());
            if (url.getHost() != null && Set.of("http", "https").contains(url.getScheme())) {
                return url;
            }
        } catch (IllegalArgumentException _) {
            // reported below
        }
        environment.problem(JWT_JWKS_URL + " must be an address that begins with http:// or https://");
        return null;
    }

    private static List<String> skipPaths(Environment environment) {
        List<String> paths = new ArrayList<>(environment.list(JWT_SKIP_PATHS));
        if (environment.flag(METRICS_PUBLIC)) {
            paths.add(METRICS_PATH);
        }
        return List.copyOf(paths);
    }

    private static RoleNames roles(Environment environment) {
        RoleNames roles = new RoleNames(environment.text(JWT_ROLES_CLAIM), environment.text(JWT_ROLES_ARRAY_CLAIM),
                environment.text(JWT_ROLE_ADMIN), environment.text(JWT_ROLE_READ_WRITE),
                environment.text(JWT_ROLE_READ_ONLY), environment.text(JWT_RIGHTS_CLAIM));
        if (List.of(roles.admin, roles.readWrite, roles.readOnly).stream().distinct().count() < 3) {
            environment.problem(JWT_ROLE_ADMIN + ", " + JWT_ROLE_READ_WRITE + " and " + JWT_ROLE_READ_ONLY
                    + " must differ from each other");
        }
        return roles;
    }
}
