package io.queenmq.server.http.stream;

import io.vertx.core.http.HttpServerRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;

/** Identifies the hosts of clients, for requests that are compared with earlier requests of the same client. */
final class ClientHosts {
    /** Headers in which a proxy names the client. */
    private static final List<String> FORWARDED = List.of("X-Forwarded-For", "Forwarded");

    private ClientHosts() {}

    /** Returns a hash of the client's address, the same at every server. */
    static long of(HttpServerRequest request) {
        for (String header : FORWARDED) {
            String client = request.getHeader(header);
            if (client != null) {
                return hash(client);
            }
        }
        return hash(request.remoteAddress().hostAddress());
    }

    private static long hash(String address) {
        return UUID.nameUUIDFromBytes(address.getBytes(StandardCharsets.UTF_8)).getLeastSignificantBits();
    }
}
