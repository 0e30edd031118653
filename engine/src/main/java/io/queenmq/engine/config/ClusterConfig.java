package io.queenmq.engine.config;

import java.time.Duration;
import java.util.List;

/**
 * How this server and others on the same database tell each other hints.
 *
 * @param secret what members prove themselves with; null when a key that is kept in the database will do
 * @param host the address to listen on; null for the one that reaches the database
 * @param port 0 for any
 * @param peers where the others are; empty when they are found through the database
 * @param beatEvery how often members tell each other that they are there
 * @param silentAfter how long a member may say nothing before it is told nothing
 */
public record ClusterConfig(boolean isEnabled, Secret secret, String host, int port, List<Peer> peers,
        Duration beatEvery, Duration silentAfter) {

    /** Where another server listens for members. */
    public record Peer(String host, int port) {}
}
