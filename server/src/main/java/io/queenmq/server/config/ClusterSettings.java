package io.queenmq.server.config;

import static io.queenmq.server.config.Setting.*;

import io.queenmq.engine.config.ClusterConfig;
import io.queenmq.engine.config.ClusterConfig.Peer;
import io.queenmq.engine.config.Secret;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** Reads {@link ClusterConfig} from the environment. */
final class ClusterSettings {
    private ClusterSettings() {}

    /** @param isEmbedded whether this server brings its own PostgreSQL, which usually nobody else uses */
    static ClusterConfig read(Environment environment, boolean isEmbedded) {
        String secret = environment.textOrNull(QUEEN_SYNC_SECRET);
        int port = environment.integer(QUEEN_SYNC_PORT);
        List<Peer> peers = environment.list(QUEEN_UDP_PEERS).stream().map(text -> peer(environment, text, port))
                .filter(Objects::nonNull).toList();
        if (!peers.isEmpty() && port == 0) {
            environment.problem(QUEEN_SYNC_PORT + " must not be 0 when " + QUEEN_UDP_PEERS
                    + " is given, because the others could not know it");
        }
        return new ClusterConfig(environment.flag(QUEEN_SYNC_ENABLED, !isEmbedded),
                secret == null ? null : new Secret(secret.getBytes(StandardCharsets.UTF_8)),
                environment.textOrNull(QUEEN_SYNC_HOST), port, peers,
                environment.millis(QUEEN_SYNC_HEARTBEAT_MS), environment.millis(QUEEN_SYNC_DEAD_THRESHOLD_MS));
    }

    /** A host, or a host and a port; an address of IPv6 with a port stands in brackets. */
    private static Peer peer(Environment environment, String text, int standardPort) {
        int colon = text.lastIndexOf(':');
        boolean hasPort = colon >= 0 && (text.indexOf(':') == colon || text.charAt(colon - 1) == ']');
        String host = hasPort ? text.substring(0, colon) : text;
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        try {
            int port = hasPort ? Integer.parseInt(text.substring(colon + 1)) : standardPort;
            if (!host.isBlank() && port >= 0 && port <= 65_535) {
                return new Peer(host, port);
            }
        } catch (NumberFormatException _) {
            // Told with the others.
        }
        environment.problem(QUEEN_UDP_PEERS + " must be hosts or hosts with ports, such as a,b:6633, but has '" + text
                + "'");
        return null;
    }
}
