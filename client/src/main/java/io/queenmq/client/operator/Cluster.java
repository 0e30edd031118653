package io.queenmq.client.operator;

import io.queenmq.client.wire.JsonNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The servers of one database, as reported by one of them.
 *
 * @param isEnabled true if the cluster transport is configured
 * @param isJoined true if other servers can reach it
 * @param address the address for other servers; null if they cannot reach it
 * @param others the other servers that it knows
 * @param reporting the number of servers that write reports to the database, including this one
 * @param hintsSent hints sent to other servers
 * @param hintsReceived hints received from other servers
 * @param hintsDropped hints dropped because a send queue was full
 */
public record Cluster(boolean isEnabled, boolean isJoined, @Nullable String address, List<ClusterMember> others,
        long reporting, long hintsSent, long hintsReceived, long hintsDropped) {

    public Cluster {
        others = List.copyOf(others);
    }

    static Cluster read(JsonNode response) {
        JsonNode transport = response.get("transport");
        boolean isEnabled = response.get("enabled").bool();
        return new Cluster(isEnabled, response.get("running").bool(), transport.get("address").text(),
                isEnabled ? transport.get("peers").list().stream().map(ClusterMember::read).toList() : List.of(),
                number(response.get("server_health").get("servers_alive")), number(transport.get("messages_sent")),
                number(transport.get("messages_received")), number(transport.get("messages_dropped")));
    }

    private static long number(JsonNode node) {
        return node.isNull() ? 0 : node.number();
    }
}
