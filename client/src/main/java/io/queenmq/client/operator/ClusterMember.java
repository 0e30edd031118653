package io.queenmq.client.operator;

import io.queenmq.client.wire.JsonNode;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A server, as reported by another one.
 *
 * @param name null until it has sent its name, which a server of another release may never do
 * @param state {@code alive}, {@code silent} or {@code leaving}
 * @param since when it was first seen
 * @param roundTrip of its last heartbeat; null before the first
 */
public record ClusterMember(@Nullable String name, @Nullable String version, String state, Instant since,
        @Nullable Duration roundTrip) {

    static ClusterMember read(JsonNode peer) {
        JsonNode millis = peer.get("round_trip_ms");
        return new ClusterMember(peer.get("server_id").text(), peer.get("version").text(), peer.get("state").string(),
                peer.get("member_since").moment(),
                millis.isNull() ? null : Duration.ofNanos(Math.round(Double.parseDouble(millis.toString()) * 1e6)));
    }
}
