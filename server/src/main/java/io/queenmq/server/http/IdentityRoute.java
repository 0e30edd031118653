package io.queenmq.server.http;

import java.util.Locale;

/** Tells clients who the server takes them for, so that they need not offer what would be refused. */
final class IdentityRoute implements Route {
    static final String PATH = "/api/v1/identity";

    private final boolean isTokenNeeded;

    IdentityRoute(boolean isTokenNeeded) {
        this.isTokenNeeded = isTokenNeeded;
    }

    @Override
    public void handle(Exchange exchange) {
        JsonBuffer json = exchange.json().raw("{\"subject\":").stringOrNull(exchange.actor());
        json.raw(",\"role\":").string(exchange.role().name().toLowerCase(Locale.ROOT).replace('_', '-'));
        exchange.send(200, json.raw(",\"isTokenNeeded\":").bool(isTokenNeeded).raw("}"));
    }
}
