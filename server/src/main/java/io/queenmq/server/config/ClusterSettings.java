package io.queenmq.server.config;

import static io.queenmq.server.config.Setting.*;

import io.queenmq.engine.config.ClusterConfig;
import io.queenmq.engine.config.ClusterConfig.Peer;
import io.queenmq.engine.config.Secret;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads {@link ClusterConfig} from the environment. */
final class ClusterSettings {
    private ClusterSettings() {}

    /** @param isEmbedded true if this server starts the embedded PostgreSQL, which other servers usually do not use */
    static ClusterConfig read(Environment environment, boolean isEmbedded) {
        String secret = environment.textOrNull(QUEEN_SYNC_SECRET);
        int port = environment.integer(QUEEN_SYNC_PORT);
        List<Peer> peers = environment.list(QUEEN_UDP_PEERS).stream().map(text -> peer(environment, text, port))
                .filter(Objects::nonNull).toList();
        if (!peers.isEmpty() && port == 0) {
            environment.problem(QUEEN_SYNC_PORT + " must not be 0 when " + QUEEN_UDP_PEERS
                    + " is set: peers need a fixed port; set " + QUEEN_SYNC_PORT + " to 1 to 65535");
        }
        return new ClusterConfig(environment.flag(QUEEN_SYNC_ENABLED, !isEmbedded),
                secret == null ? null : new Secret(secret.getBytes(StandardCharsets.UTF_8)),
                environment.textOrNull(QUEEN_SYNC_HOST), port, peers, environment.millis(QUEEN_SYNC_HEARTBEAT_MS),
                environment.millis(QUEEN_SYNC_DEAD_THRESHOLD_MS));
    }

    /**
     * Parses a host, or a host and a port. An IPv6 address with a port must be in brackets. Returns null after reporting a
     * problem.
     */
    private static @Nullable Peer peer(Environment environment, String text, int defaultPort) {
        int colon = text.lastIndexOf(':');
        boolean hasPort = colon >= 0 && (text.indexOf(':') == colon || text.charAt(colon - 1) == ']');
        String host = hasPort ? text.substring(0, colon) : text;
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        try {
            int port = hasPort ? Integer.parseInt(text.substring(colon + 1)) : defaultPort;
            if (!host.isBlank() && port >= 0 && port <= 65_535) {
                return new Peer(host, port);
            }
        } catch (NumberFormatException _) {
            // Reported below.
        }
        environment.problem(
                QUEEN_UDP_PEERS + " must be hosts or hosts with ports, such as a,b:6633, but has '" + text + "'");
        return null;
    }
}
