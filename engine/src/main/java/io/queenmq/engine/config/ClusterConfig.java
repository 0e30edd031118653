package io.queenmq.engine.config;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the connections over which servers of the same database exchange hints.
 *
 * @param secret authenticates peers; null to use a key that is stored in the database
 * @param host the address to listen on; null for the local address of connections to the database
 * @param port 0 for any free port
 * @param peers the addresses of the peers; empty to discover them through the database
 * @param heartbeatEvery the interval of heartbeats between peers
 * @param silentAfter the time without a heartbeat after which a peer gets no hints
 */
public record ClusterConfig(boolean isEnabled, @Nullable Secret secret, @Nullable String host, int port,
        List<Peer> peers, Duration heartbeatEvery, Duration silentAfter) {

    /** The address at which another server accepts connections of peers. */
    public record Peer(String host, int port) {}
}
