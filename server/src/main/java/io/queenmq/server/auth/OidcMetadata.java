package io.queenmq.server.auth;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.queenmq.server.config.OidcConfig;
import java.io.IOException;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * The part of a discovery document (OpenID Connect Discovery 1.0) that this server and its dashboard use. All addresses are
 * protected as {@link OidcConfig#isProtected} requires.
 *
 * @param endSessionEndpoint null if the provider has no page to sign out
 * @param isIssuerInResponse true if the provider names itself in every response to the browser (RFC 9207)
 */
public record OidcMetadata(URI authorizationEndpoint, URI tokenEndpoint, @Nullable URI endSessionEndpoint, URI jwksUri,
        boolean isIssuerInResponse) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** @throws IOException if the document is not that of the issuer, or lacks an address */
    public static OidcMetadata parse(byte[] document, @Nullable String issuer) throws IOException {
        JsonNode json = JSON.readTree(document);
        String named = json.path("issuer").asText("");
        if (!named.equals(issuer)) {
            // Prevents that the document of one issuer is used for the tokens of another.
            throw new IOException("the discovery document is of the issuer \"" + named
                    + "\", but the configured one is \"" + issuer + "\"");
        }
        return new OidcMetadata(address(json, "authorization_endpoint"), address(json, "token_endpoint"),
                json.hasNonNull("end_session_endpoint") ? address(json, "end_session_endpoint") : null,
                address(json, "jwks_uri"), json.path("authorization_response_iss_parameter_supported").asBoolean());
    }

    /** Returns the only origin that scripts of the dashboard send requests to, other than this server. */
    public String tokenOrigin() {
        String port = tokenEndpoint.getPort() < 0 ? "" : ":" + tokenEndpoint.getPort();
        return tokenEndpoint.getScheme() + "://" + tokenEndpoint.getHost() + port;
    }

    private static URI address(JsonNode json, String name) throws IOException {
        try {
            URI url = URI.create(json.path(name).asText(""));
            if (OidcConfig.isProtected(url)) {
                return url;
            }
        } catch (IllegalArgumentException _) {
            // reported below
        }
        throw new IOException("\"" + name + "\" of the discovery document is missing or no https:// address");
    }
}
