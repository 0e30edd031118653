package io.queenmq.server.http.openapi;

import io.queenmq.server.http.access.Address;
import io.queenmq.server.http.server.Exchange;
import io.queenmq.server.http.server.Route;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Serves the OpenAPI 3.1 document of the API, generated from the routes and their descriptions. */
public final class OpenApiRoute implements Route {
    public static final String PATH = "/openapi.json";

    private final List<Address> addresses;
    private final String version;
    private @Nullable String document;

    /** @param addresses all routes; must be complete before the first request */
    public OpenApiRoute(List<Address> addresses, String version) {
        this.addresses = addresses;
        this.version = version;
    }

    @Override
    public void handle(Exchange exchange) {
        if (document == null) {
            document = new OpenApiDocument(ApiDescriptions.load()).of(addresses, version);
        }
        exchange.sendPage("application/json", document);
    }
}
