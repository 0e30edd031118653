package io.queenmq.server.http.operator;

import io.queenmq.server.auth.Role;
import io.queenmq.server.http.json.JsonBuffer;
import io.queenmq.server.http.server.Exchange;
import io.queenmq.server.http.server.Route;
import java.util.List;
import java.util.Locale;

/** Returns the identity and rights of the caller, so that clients can hide actions that would be rejected. */
public final class IdentityRoute implements Route {
    public static final String PATH = "/api/v1/identity";

    private final boolean isTokenNeeded;

    public IdentityRoute(boolean isTokenNeeded) {
        this.isTokenNeeded = isTokenNeeded;
    }

    @Override
    public void handle(Exchange exchange) {
        JsonBuffer json = exchange.json().raw("{\"subject\":").stringOrNull(exchange.actor());
        Role role = exchange.identity() == null ? Role.ADMIN : exchange.identity().role();
        json.raw(",\"role\":").string(role.name().toLowerCase(Locale.ROOT).replace('_', '-'));
        json.raw(",\"rights\":");
        if (exchange.rights() == null) {
            json.raw("null");
        } else {
            write(json, exchange.rights().entries());
        }
        exchange.send(200, json.raw(",\"isTokenNeeded\":").bool(isTokenNeeded).raw("}"));
    }

    private static void write(JsonBuffer json, List<String> entries) {
        json.raw("[");
        for (int i = 0; i < entries.size(); i++) {
            json.raw(i == 0 ? "" : ",").string(entries.get(i));
        }
        json.raw("]");
    }
}
