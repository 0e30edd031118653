package io.queenmq.server.config;

import static io.queenmq.server.config.Setting.*;

import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The OpenID Connect provider that users of the dashboard sign in with. It implies settings of tokens, because a login is of no
 * use if the server does not accept the tokens that it yields.
 *
 * @param issuer exactly as in the {@code iss} claim of its tokens
 * @param audience the API that access tokens are requested for; null if the ID token is the bearer token
 * @param timeout the time limit of a request to the provider
 */
public record OidcConfig(String issuer, String clientId, String scopes, @Nullable String audience, Duration timeout) {
    private static final String WELL_KNOWN = "/.well-known/openid-configuration";
    private static final String REQUIRED_SCOPE = "openid";

    /** Returns true if the address is that of a discovery document, which names the address of the published keys. */
    public static boolean isDiscovery(URI url) {
        return url.getPath() != null && url.getPath().endsWith(WELL_KNOWN);
    }

    /** Returns the address of the discovery document. */
    public URI discoveryUrl() {
        return URI.create(discoveryUrl(issuer));
    }

    /** Returns true if an address of the provider protects what is sent to it: HTTPS, or HTTP on this machine. */
    public static boolean isProtected(URI url) {
        return url.getHost() != null && url.getUserInfo() == null && url.getFragment() == null
                && ("https".equals(url.getScheme()) || "http".equals(url.getScheme())
                        && Set.of("127.0.0.1", "[::1]", "localhost").contains(url.getHost()));
    }

    /** Returns the variables with those that OIDC_ISSUER implies where they have no value. */
    static Map<String, String> withImplied(Map<String, String> variables) {
        String issuer = given(variables, OIDC_ISSUER);
        if (issuer == null) {
            return variables;
        }
        Map<String, String> all = new HashMap<>(variables);
        String audience = given(variables, OIDC_AUDIENCE);
        imply(all, JWT_ENABLED, "true");
        imply(all, JWT_ALGORITHM, "auto");
        imply(all, JWT_ISSUER, issuer);
        imply(all, JWT_AUDIENCE, audience == null ? given(variables, OIDC_CLIENT_ID) : audience);
        imply(all, JWT_JWKS_URL, discoveryUrl(issuer));
        return all;
    }

    /** Returns null if no provider is configured. */
    static @Nullable OidcConfig read(Environment environment) {
        String issuer = environment.textOrNull(OIDC_ISSUER);
        String clientId = environment.textOrNull(OIDC_CLIENT_ID);
        String audience = environment.textOrNull(OIDC_AUDIENCE);
        List<String> scopes = Arrays.stream(environment.text(OIDC_SCOPES).split("[\\s,]+"))
                .filter(each -> !each.isEmpty()).toList();
        if (issuer == null) {
            if (clientId != null || audience != null) {
                environment.problem(
                        OIDC_ISSUER + " must be given, because " + OIDC_CLIENT_ID + " or " + OIDC_AUDIENCE + " is");
            }
            return null;
        }
        if (!isIssuer(issuer)) {
            environment
                    .problem(OIDC_ISSUER + " must be an address such as https://login.example without a query; http:// "
                            + "is allowed for localhost only");
        }
        if (clientId == null) {
            environment.problem(OIDC_CLIENT_ID + " must be given, because " + OIDC_ISSUER + " is");
        }
        if (!scopes.contains(REQUIRED_SCOPE)) {
            environment.problem(OIDC_SCOPES + " must contain " + REQUIRED_SCOPE);
        }
        OidcConfig config = new OidcConfig(issuer, clientId == null ? "" : clientId, String.join(" ", scopes), audience,
                environment.millis(JWT_JWKS_TIMEOUT_MS));
        config.requireTokens(environment);
        return config;
    }

    /** Reports token settings with which no token of this provider would be accepted. */
    private void requireTokens(Environment environment) {
        String because = ", because " + OIDC_ISSUER + " is given";
        if (!environment.flag(JWT_ENABLED)) {
            environment.problem(JWT_ENABLED + " must not be false" + because);
        }
        if (environment.text(JWT_ALGORITHM).equals("HS256")) {
            environment.problem(JWT_ALGORITHM + " must not be HS256" + because + "; use auto");
        }
        if (environment.textOrNull(JWT_PUBLIC_KEY) != null) {
            environment.problem(JWT_PUBLIC_KEY + " must not be given" + because + ": the provider publishes its keys");
        }
        if (!issuer.equals(environment.textOrNull(JWT_ISSUER))) {
            environment.problem(JWT_ISSUER + " must be " + issuer + " or not given" + because);
        }
        String bearerFor = audience == null ? clientId : audience;
        if (!bearerFor.isEmpty() && !bearerFor.equals(environment.textOrNull(JWT_AUDIENCE))) {
            environment.problem(
                    JWT_AUDIENCE + " must be " + bearerFor + " or not given, because tokens of the login are for "
                            + bearerFor + "; " + OIDC_AUDIENCE + " changes that");
        }
    }

    private static boolean isIssuer(String issuer) {
        try {
            URI url = URI.create(issuer);
            return isProtected(url) && url.getQuery() == null;
        } catch (IllegalArgumentException _) {
            return false;
        }
    }

    private static String discoveryUrl(String issuer) {
        return (issuer.endsWith("/") ? issuer.substring(0, issuer.length() - 1) : issuer) + WELL_KNOWN;
    }

    private static void imply(Map<String, String> variables, Setting setting, @Nullable String value) {
        if (value != null && given(variables, setting) == null) {
            variables.put(setting.name(), value);
        }
    }

    private static @Nullable String given(Map<String, String> variables, Setting setting) {
        String value = variables.get(setting.name());
        return value == null || value.isBlank() ? null : value;
    }
}
