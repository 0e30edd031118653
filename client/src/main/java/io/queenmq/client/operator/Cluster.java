package io.queenmq.client.operator;

import io.queenmq.client.wire.JsonNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The servers on one database, as one of them knows them.
 *
 * @param isEnabled whether the server is to know others at all
 * @param isJoined whether others can know it
 * @param address where others reach it; null as long as they cannot
 * @param others the servers it knows, without itself
 * @param reporting how many servers work on the database by their reports, known to this one or not, itself included
 * @param hintsSent what it told others
 * @param hintsReceived what others told it
 * @param hintsDropped what there was no room for
 */
public record Cluster(boolean isEnabled, boolean isJoined, @Nullable String address, List<ClusterMember> others,
        long reporting, long hintsSent, long hintsReceived, long hintsDropped) {

    public Cluster {
        others = List.copyOf(others);
    }

    static Cluster read(JsonNode answer) {
        JsonNode transport = answer.get("transport");
        boolean isEnabled = answer.get("enabled").bool();
        return new Cluster(isEnabled, answer.get("running").bool(), transport.get("address").text(),
                isEnabled ? transport.get("peers").list().stream().map(ClusterMember::read).toList() : List.of(),
                number(answer.get("server_health").get("servers_alive")), number(transport.get("messages_sent")),
                number(transport.get("messages_received")), number(transport.get("messages_dropped")));
    }

    private static long number(JsonNode node) {
        return node.isNull() ? 0 : node.number();
    }
}
