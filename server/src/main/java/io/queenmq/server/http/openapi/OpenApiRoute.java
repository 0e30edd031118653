package io.queenmq.server.http.openapi;

import io.queenmq.server.http.access.Address;
import io.queenmq.server.http.server.Exchange;
import io.queenmq.server.http.server.Route;
import java.util.List;

/** Describes the whole API to programs: OpenAPI 3.1, made of the routes there are and of what is written about them. */
public final class OpenApiRoute implements Route {
    public static final String PATH = "/openapi.json";

    private final List<Address> addresses;
    private final String version;
    private String document;

    /** @param addresses all of them, by the time of the first request */
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
