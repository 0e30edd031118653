package io.queenmq.server.http.operator;

import io.queenmq.server.auth.OidcMetadata;
import io.queenmq.server.auth.OidcProvider;
import io.queenmq.server.config.OidcConfig;
import io.queenmq.server.http.json.JsonBuffer;
import io.queenmq.server.http.server.Exchange;
import io.queenmq.server.http.server.Route;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/** Returns the sign-in methods of the dashboard. Public, because it is requested before the login; contains no secret. */
public final class LoginRoute implements Route {
    public static final String PATH = "/api/v1/login";

    private final boolean isTokenNeeded;
    private final @Nullable OidcProvider provider;

    /** @param provider null if there is none */
    public LoginRoute(boolean isTokenNeeded, @Nullable OidcProvider provider) {
        this.isTokenNeeded = isTokenNeeded;
        this.provider = provider;
    }

    @Override
    public void handle(Exchange exchange) {
        OidcMetadata metadata = provider == null ? null : provider.metadata();
        JsonBuffer json = exchange.json().raw("{\"isTokenNeeded\":").bool(isTokenNeeded).raw(",\"methods\":[");
        json.raw(isTokenNeeded ? "\"bearer\"" : "").raw(provider == null ? "" : ",\"oidc\"").raw("],\"oidc\":");
        if (provider == null) {
            json.raw("null");
        } else {
            writeProvider(json, provider.config(), metadata);
        }
        exchange.send(200, json.raw("}"));
    }

    private static void writeProvider(JsonBuffer json, OidcConfig config, @Nullable OidcMetadata metadata) {
        json.raw("{\"issuer\":").string(config.issuer()).raw(",\"clientId\":").string(config.clientId());
        json.raw(",\"scopes\":").string(config.scopes()).raw(",\"audience\":").stringOrNull(config.audience());
        json.raw(",\"isAvailable\":").bool(metadata != null);
        json.raw(",\"authorizationEndpoint\":")
                .stringOrNull(metadata == null ? null : metadata.authorizationEndpoint().toString());
        json.raw(",\"tokenEndpoint\":").stringOrNull(metadata == null ? null : metadata.tokenEndpoint().toString());
        json.raw(",\"endSessionEndpoint\":")
                .stringOrNull(metadata == null ? null : text(metadata.endSessionEndpoint()));
        json.raw(",\"isIssuerInResponse\":").bool(metadata != null && metadata.isIssuerInResponse()).raw("}");
    }

    private static @Nullable String text(@Nullable URI url) {
        return url == null ? null : url.toString();
    }
}
